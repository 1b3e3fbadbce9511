// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kinds of token that can be made without hardware: a folder of `tokens/` each.
package enum TokenKind: String, CaseIterable, Sendable {
    /// SoftHSM.
    case softhsm
    /// NSS softokn on a key database.
    case nss
    /// The software token of openCryptoki.
    case opencryptoki
    /// tpm2-pkcs11 on a software TPM.
    case tpm2
    /// SoftHSM behind `p11-kit server`.
    case remote
    /// A virtual PIV card through OpenSC.
    case opensc

    /// The kind that this process tests (`KEYFOB_TEST_TOKEN`); SoftHSM if none is named.
    package static let current: TokenKind = {
        guard let name = named else { return .softhsm }
        guard let kind = TokenKind(rawValue: name) else { fatalError("KEYFOB_TEST_TOKEN names no kind: \(name)") }
        return kind
    }()

    /// Whether the process is for this kind alone; else tests of other things share its SoftHSM.
    static var isNamed: Bool { named != nil }

    private static var named: String? { unsafe getenv("KEYFOB_TEST_TOKEN").map { unsafe String(cString: $0) } }
}
