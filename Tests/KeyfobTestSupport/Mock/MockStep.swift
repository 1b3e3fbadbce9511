// SPDX-License-Identifier: Apache-2.0
package import KeyfobPKCS11

/// One thing that the mock module is told to do: a command of CKeyfobMockModule.h.
///
/// Steps about calls have a turn: of those about one function (nil: any) the first one counts, lets `after` calls pass,
/// strikes `times` (`forever` for good), and makes room for the next.
package enum MockStep: Sendable {
    /// Calls return a value without reaching the token; `.ok` too.
    case answer(CryptokiFunction?, ReturnValue, after: Int = 0, times: Int = 1)
    /// Calls are late.
    case sleep(CryptokiFunction?, milliseconds: Int, after: Int = 0, times: Int = 1)
    /// Calls hang until `release` or a reset, and go on then.
    case hang(CryptokiFunction?, after: Int = 0, times: Int = 1)
    /// Lets the calls that hang go.
    case release
    /// Calls that succeed answer this length whatever it is; nil leaves the length that they were given.
    case length(CryptokiFunction, Int?, after: Int = 0, times: Int = 1)

    /// The token is pulled: its sessions return the value from now on, its slot is not in the list of those with a token.
    case remove(ReturnValue = .deviceRemoved)
    /// The token is back, logged out, its sessions dead.
    case insert
    /// The token is in the slot with a number so much higher.
    case move(by: Int)
    /// The token calls itself so, as if another had been put into its place.
    case showLabel(String)
    case showSerial(String)
    /// The token's sessions and its login are gone, once.
    case failOver
    /// Somebody has finalised the module: it works again after `C_Initialize`.
    case finalize

    /// What the token says of itself (`C_GetTokenInfo`).
    case flags(set: TokenFlags, clear: TokenFlags = [])
    case pinLength(ClosedRange<Int>)
    /// What a person enters on the device at a `C_Login` without a PIN (`MockToken.enterPINOnDevice`).
    case devicePIN(String)
    /// The same as the security officer.
    case deviceSOPIN(String)
    /// The same as the new PIN, at a `C_InitPIN` or `C_SetPIN` without PINs.
    case deviceNewPIN(String)

    /// The attribute is overlooked in templates.
    case strip(AttributeType)
    /// The attribute reads so, whatever it is; nil: the object has none.
    case read(AttributeType, [UInt8]?, after: Int = 0, times: Int = forever)
    /// Calls return a value if the attribute is so in their template; nil: if it is there.
    case refuse(CryptokiFunction, AttributeType, [UInt8]?, ReturnValue, after: Int = 0, times: Int = forever)
    /// `C_Logout` succeeds, and some keys stay usable.
    case keepLogin(Kept)

    /// The steps that follow are for the token with this label alone; nil: for all again.
    case token(String?)
    /// Appends the name of each call to a file.
    case log(String)

    /// What stays usable after a logout.
    package enum Kept: String, Sendable {
        /// Everything, as if there had been no logout but for the state of the sessions.
        case all = ""
        /// Keys whose handles are known; searches find none (cards that learn nothing of the logout).
        case hidden
        /// Copies that were made as public session objects of private keys, which the token then allows (NSS, openCryptoki).
        case copies
    }

    /// For good, where a number of calls is asked for.
    package static let forever = 0

    /// A token that makes no public session objects: neither by copying nor by unwrapping.
    package static let refusesPublicObjects = [
        Self.refuse(.copyObject, .private, [0], .templateInconsistent),
        .refuse(.unwrapKey, .private, [0], .templateInconsistent),
    ]

    /// A token that overlooks `CKA_ALWAYS_AUTHENTICATE`, and says of every object what it is told to say.
    package static func ignoresAlwaysAuthenticate(saying value: Bool) -> [MockStep] {
        [.strip(.alwaysAuthenticate), .read(.alwaysAuthenticate, [value ? 1 : 0])]
    }

    /// The command.
    package var command: String {
        switch self {
        case .answer(let function, let value, let after, let times):
            "answer \(Self.name(function)) \(value.rawValue) after=\(after) times=\(times)"
        case .sleep(let function, let milliseconds, let after, let times):
            "sleep \(Self.name(function)) \(milliseconds) after=\(after) times=\(times)"
        case .hang(let function, let after, let times):
            "hang \(Self.name(function)) after=\(after) times=\(times)"
        case .release: "release"
        case .length(let function, let length, let after, let times):
            "length \(function.name) \(length.map(String.init) ?? "given") after=\(after) times=\(times)"
        case .remove(let value): "remove \(value.rawValue)"
        case .insert: "insert"
        case .move(let distance): "move \(distance)"
        case .showLabel(let label): "show-label \(label)"
        case .showSerial(let serial): "show-serial \(serial)"
        case .failOver: "fail-over"
        case .finalize: "finalize"
        case .flags(let set, let clear): "flags \(set.rawValue) \(clear.rawValue)"
        case .pinLength(let range): "pin-length \(range.lowerBound) \(range.upperBound)"
        case .devicePIN(let pin): "device-pin \(pin)"
        case .deviceSOPIN(let pin): "device-so-pin \(pin)"
        case .deviceNewPIN(let pin): "device-new-pin \(pin)"
        case .strip(let type): "strip \(type.rawValue)"
        case .read(let type, let value, let after, let times):
            "read \(type.rawValue) \(value.map(Self.hex) ?? "-") after=\(after) times=\(times)"
        case .refuse(let function, let type, let bytes, let value, let after, let times):
            "refuse \(function.name) \(type.rawValue) \(bytes.map(Self.hex) ?? "-") \(value.rawValue) after=\(after) times=\(times)"
        case .keepLogin(let kept): "keep-login \(kept.rawValue)"
        case .token(let label): "token \(label ?? "")"
        case .log(let path): "log \(path)"
        }
    }

    /// The script of several steps.
    package static func script(_ steps: [MockStep]) -> String {
        steps.map { $0.command + "\n" }.joined()
    }

    private static func name(_ function: CryptokiFunction?) -> String { function?.name ?? "*" }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
