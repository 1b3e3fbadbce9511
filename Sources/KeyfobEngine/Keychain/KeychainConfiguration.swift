// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel
package import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobSQLite

/// What `config.json` of a keychain's folder says; an admin may edit it (docs/operations.md).
///
/// ```json
/// { "token": "pkcs11:token=work;serial=0123?module-path=/usr/lib/vendor.so",
///   "module-parameters": "configdir='sql:/var/lib/db'", "software-token": false,
///   "pin-source": "file:/run/secrets/pin", "locked-memory": "require",
///   "pinentry": "pinentry-curses", "audit": "require", "idle": "15m", "presence-key": false,
///   "item-key-cache": { "keys": 256, "seconds": 60 } }
/// ```
/// Only `token` is needed. An unknown name is an error, so that a mistyped one does not go unnoticed.
package struct KeychainConfiguration: Hashable, Sendable {
    /// What happens when secret memory cannot be locked.
    package enum LockedMemory: String, Hashable, Sendable {
        case prefer
        case require
    }

    /// Whether accesses are recorded (docs/audit.md).
    package enum Audit: String, Hashable, Sendable {
        case off
        /// What cannot be recorded is done all the same; the log says how much is missing.
        case on
        /// What cannot be recorded is refused.
        case require
    }

    /// An RFC 7512 URI.
    package var token: String
    /// Whether the token is the SoftHSM token in the keychain's own folder.
    package var isSoftwareToken: Bool
    /// Where the PIN comes from if nobody says otherwise (docs/operations.md, PIN sources).
    package var pinSource: String?
    /// What happens when secret memory cannot be locked; nil: what is usual where the keychain is opened.
    package var lockedMemory: LockedMemory?
    /// The pinentry program to ask with, or nil: none.
    package var pinentry: String?
    /// The group whose members may lock and unlock like the owner, or nil: nobody but the owner and root.
    package var adminGroup: String?
    /// How many seconds a request may take before a daemon answers in the token's place, or nil: what is usual.
    package var requestDeadline: Int?
    /// After how long without use a daemon locks the keychain; nil: nothing is said, so never.
    package var idle: IdleLimit?
    /// Whether the module reads `CK_GCM_PARAMS` without `ulIvBits`, as `keyfob init` found by trying.
    package var hasFiveFieldGCM: Bool
    /// What the module of the token's `module-path` is initialised with; nil: nothing.
    package var moduleParameters: ModuleParameters?
    /// Whether the module runs in a process of its own.
    package var isolatesModule = false
    /// Whether a key for items that need a person is made at a login that finds none; making it takes a token a while.
    package var makesPresenceKey = true
    /// How many opened item keys are kept in locked memory, and for how long; nil: none.
    package var itemKeyCache: ItemKeyCacheLimit?
    /// Nil: the program decides; a daemon records, a program that opens the keychain itself does not.
    package var audit: Audit?

    package init(
        token: String, isSoftwareToken: Bool = false, pinSource: String? = nil, lockedMemory: LockedMemory? = nil,
        pinentry: String? = nil, hasFiveFieldGCM: Bool = false, audit: Audit? = nil
    ) {
        self.token = token
        self.isSoftwareToken = isSoftwareToken
        self.pinSource = pinSource
        self.lockedMemory = lockedMemory
        self.pinentry = pinentry
        self.hasFiveFieldGCM = hasFiveFieldGCM
        self.audit = audit
    }

    private static let sizeLimit = 65536
    private static let requestDeadlines: ClosedRange<Int64> = 1...600

    /// Reads a configuration file.
    ///
    /// - Throws: `.configurationInvalid` naming the fault, `.permissions`, `.inputOutput`.
    static func read(_ path: String) throws(KeychainError) -> KeychainConfiguration {
        let object = try ConfigurationFile.object(path, limit: sizeLimit)
        var configuration = KeychainConfiguration(token: "")
        for (name, value) in object {
            switch (name, value) {
            case ("token", .string(let text)): configuration.token = text
            case ("software-token", .bool(let flag)): configuration.isSoftwareToken = flag
            case ("five-field-gcm", .bool(let flag)): configuration.hasFiveFieldGCM = flag
            case ("isolate", .bool(let flag)): configuration.isolatesModule = flag
            case ("presence-key", .bool(let flag)): configuration.makesPresenceKey = flag
            case ("pin-source", .string(let text)): configuration.pinSource = text
            case ("pinentry", .string(let text)): configuration.pinentry = text
            case ("admin-group", .string(let text)): configuration.adminGroup = text
            case ("module-parameters", .string(let text)):
                guard let parameters = ModuleParameters(text) else {
                    throw ConfigurationFile.invalid(path, name, "must be a text without NUL, and not empty")
                }
                configuration.moduleParameters = parameters
            case ("locked-memory", .string(let text)):
                guard let policy = LockedMemory(rawValue: text) else {
                    throw ConfigurationFile.invalid(path, name, "must be \"prefer\" or \"require\"")
                }
                configuration.lockedMemory = policy
            case ("request-deadline", .integer(let seconds)) where requestDeadlines.contains(seconds):
                configuration.requestDeadline = Int(seconds)
            case ("request-deadline", _):
                throw ConfigurationFile.invalid(path, name, "must be a number of seconds from 1 to 600")
            case ("idle", .string(let text)):
                guard let idle = IdleLimit(text) else {
                    throw ConfigurationFile.invalid(
                        path, name, "must be \"never\", or \(IdleLimit.bounds) such as \"15m\"")
                }
                configuration.idle = idle
            case ("audit", .string(let text)):
                guard let audit = Audit(rawValue: text) else {
                    throw ConfigurationFile.invalid(path, name, "must be \"off\", \"on\" or \"require\"")
                }
                configuration.audit = audit
            case ("item-key-cache", _): configuration.itemKeyCache = try itemKeyCache(value, path)
            case ("token", _), ("pin-source", _), ("pinentry", _), ("locked-memory", _), ("admin-group", _),
                ("audit", _), ("idle", _), ("module-parameters", _):
                throw ConfigurationFile.invalid(path, name, "must be a string")
            case ("software-token", _), ("five-field-gcm", _), ("presence-key", _), ("isolate", _):
                throw ConfigurationFile.invalid(path, name, "must be true or false")
            default:
                throw ConfigurationFile.invalid(path, name, "is no setting")
            }
        }
        guard !configuration.token.isEmpty else { throw ConfigurationFile.invalid(path, "token", "is missing") }
        return configuration
    }

    private static func itemKeyCache(_ value: JSONValue, _ path: String) throws(KeychainError) -> ItemKeyCacheLimit {
        guard case .object(let members) = value, members.count == 2, case .integer(let keys) = value["keys"],
            case .integer(let seconds) = value["seconds"],
            let limit = ItemKeyCacheLimit(keys: Int(keys), seconds: Int(seconds))
        else {
            throw ConfigurationFile.invalid(
                path, "item-key-cache",
                "must be {\"keys\": N, \"seconds\": N}, from 1 to \(ItemKeyCacheLimit.keyRange.upperBound) keys and from 1 to "
                    + "\(ItemKeyCacheLimit.secondRange.upperBound) seconds")
        }
        return limit
    }

    /// The text of a configuration file.
    var json: String {
        var lines = ["  \"token\": \(JSONText.quote(token))"]
        if isSoftwareToken { lines.append("  \"software-token\": true") }
        if let moduleParameters { lines.append("  \"module-parameters\": \(JSONText.quote(moduleParameters.text))") }
        if isolatesModule { lines.append("  \"isolate\": true") }
        if hasFiveFieldGCM { lines.append("  \"five-field-gcm\": true") }
        if !makesPresenceKey { lines.append("  \"presence-key\": false") }
        if let pinSource { lines.append("  \"pin-source\": \(JSONText.quote(pinSource))") }
        if let pinentry { lines.append("  \"pinentry\": \(JSONText.quote(pinentry))") }
        if let audit { lines.append("  \"audit\": \(JSONText.quote(audit.rawValue))") }
        if let adminGroup { lines.append("  \"admin-group\": \(JSONText.quote(adminGroup))") }
        if let lockedMemory { lines.append("  \"locked-memory\": \(JSONText.quote(lockedMemory.rawValue))") }
        if let idle { lines.append("  \"idle\": \(JSONText.quote(idle.text))") }
        if let requestDeadline { lines.append("  \"request-deadline\": \(requestDeadline)") }
        if let itemKeyCache {
            let (keys, seconds) = (itemKeyCache.keys, itemKeyCache.seconds)
            lines.append("  \"item-key-cache\": { \"keys\": \(keys), \"seconds\": \(seconds) }")
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
}
