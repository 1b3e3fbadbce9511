// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

/// What the person has given in the course of one command, for the items it works on.
final class GivenCredentials {
    var now: Credentials?
}

/// What a search saw without asking anybody.
struct Seen {
    let items: [FoundItem]
    /// How many items need a person, in words; nil: none does.
    let leftOut: String?
}

extension CommandContext {
    /// Does the work as `unlocking` does; where an item needs a PIN or a password of its own, asks for it once in the
    /// command and does the work again.
    ///
    /// A wrong entry is the error of the work, and is not asked for again.
    func asking<R: ~Copyable>(
        _ keychain: any OpenKeychain, _ work: (Credentials?) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        while true {
            do throws(KeychainError) {
                return try unlocking(keychain) { () throws(KeychainError) in try work(given.now) }
            } catch {
                let kind: Credentials.Kind
                switch error.code {
                case .presenceRequired: kind = .pin
                case .applicationPasswordRequired: kind = .applicationPassword
                default: throw error
                }
                guard given.now?.has(kind) != true else { throw error }
                try ask(kind, isNew: false, keychain, error)
            }
        }
    }

    /// Asks a person, and keeps what was given for the rest of the command.
    ///
    /// - Parameter need: thrown where nobody can be asked: its words fit what is missing.
    func ask(
        _ kind: Credentials.Kind, isNew: Bool, _ keychain: any OpenKeychain, _ need: KeychainError
    ) throws(KeychainError) {
        let explicit = kind == .pin ? invocation[.pinSource] : nil
        let given: SecretBytes
        do throws(KeychainError) {
            given = try secrets.credential(kind, isNew: isNew, explicit: explicit, of: keychain)
        } catch {
            throw error.code == .pinNotGiven && explicit == nil ? need : error
        }
        try give(kind, given)
    }

    /// Keeps what was given for the rest of the command.
    private func give(_ kind: Credentials.Kind, _ secret: consuming SecretBytes) throws(KeychainError) {
        do throws(SecretMemoryError) {
            given.now = try (given.now ?? Credentials()).adding(kind, secret)
        } catch {
            throw KeychainError(error, .prompt)
        }
    }

    /// The items that fit and need nobody.
    func look(_ query: ItemQuery, in keychain: any OpenKeychain) throws(KeychainError) -> Seen {
        do throws(KeychainError) {
            let request = MatchRequest(
                query, limit: .all, returns: [.attributes, .persistentReference], authenticationUI: .skip)
            let result = try unlocking(keychain) { () throws(KeychainError) in
                try keychain.service.copyMatching(request)
            }
            return Seen(items: result.items.map { FoundItem($0) }, leftOut: MatchResult.words(leftOut: result.leftOut))
        } catch {
            guard error.code == .itemNotFound else { throw error }
            guard case .format(MatchResult.leftOutPlace, let words)? = error.cause else {
                return Seen(items: [], leftOut: nil)
            }
            return Seen(items: [], leftOut: words)
        }
    }

    /// The access control that `--require` asks for, with the protection of `--accessible`; nil without it.
    func required(_ selector: ItemSelector) throws(Failure) -> AccessControl? {
        guard let words = invocation[.require] else { return nil }
        var flags: UInt64 = 0
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            guard let constraint = Self.requirements.first(where: { $0.word == word })?.constraint else {
                let known = Self.requirements.map(\.word)
                let nearest = Suggestion.nearest(to: String(word), among: known)
                throw Failure(
                    .usage, "--require does not take \(Printable.quoted(Printable.text(String(word), columns: 40)))",
                    hint: nearest.map { "did you mean --require \($0)?" }
                        ?? "it takes \(known.joined(separator: ", ")), with commas between them")
            }
            flags |= constraint.rawValue
        }
        let both = AccessControl.Constraint.userPresence.rawValue | AccessControl.Constraint.devicePasscode.rawValue
        guard flags & both != both else {
            throw Failure(
                .usage, "--require takes user-presence or passcode, not both", hint: "either asks for the PIN")
        }
        return AccessControl(protection: selector.accessibility ?? .whenUnlocked, flags: flags, hasRules: true)
    }

    /// The words of `--require`.
    static let requirements: [(word: String, constraint: AccessControl.Constraint)] = [
        ("user-presence", .userPresence), ("passcode", .devicePasscode), ("application-password", .applicationPassword),
    ]
}
