// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobTestSupport

/// What a keychain on a kind of token is made of: the only place that says so, but for the same table in docs/tokens.md.
struct KeychainPromises {
    let kind: TokenKind
    let suite: Suite
    /// Of `ak`, `aku`, `akpu`.
    let whileUnlocked: Residence
    /// Of `ck`, `cku`.
    let afterFirstUnlock: Residence
    /// Of `dk`, `dku`.
    let always: Residence
    /// What the keychain sees of a token that goes.
    let loss: Loss
    /// Whether there are items that need a person: the token asks for the PIN at each use.
    var asksAtEachUse: Bool { kind == .softhsm || kind == .remote }

    enum Loss: String {
        /// That it is gone, at the next call.
        case noticed = "at the next call"
        /// Nothing but that nobody can log in: the token's keys are in the memory of the process.
        case atLogin = "at the next login"
        /// Nothing: the database stays open.
        case never
    }

    /// The kinds that make keys.
    static let table: [KeychainPromises] = [
        KeychainPromises(.softhsm, .aesGCM, .tokenPrivate, .unwrappedSession, .tokenPublic, .noticed),
        KeychainPromises(.nss, .aesGCM, .tokenPrivate, .copiedSession, .hostHeld, .never),
        KeychainPromises(.opencryptoki, .cbcHMAC, .tokenPrivate, .copiedSession, .tokenPublic, .atLogin),
        KeychainPromises(.tpm2, .rsaOAEPSHA256, .tokenPrivate, .hostHeld, .hostHeld, .noticed),
        KeychainPromises(.remote, .hmacKDF, .tokenPrivate, .unwrappedSession, .tokenPublic, .noticed),
    ]

    private init(
        _ kind: TokenKind, _ suite: Suite, _ whileUnlocked: Residence, _ afterFirstUnlock: Residence,
        _ always: Residence, _ loss: Loss
    ) {
        self.kind = kind
        self.suite = suite
        self.whileUnlocked = whileUnlocked
        self.afterFirstUnlock = afterFirstUnlock
        self.always = always
        self.loss = loss
    }

    /// What is expected of the kind that this process tests; nil: it makes no keys.
    static let current = table.first { $0.kind == .current }

    func residence(_ accessibility: Accessibility) -> Residence {
        switch accessibility.availability {
        case .whileUnlocked: whileUnlocked
        case .afterFirstUnlock: afterFirstUnlock
        case .always: always
        }
    }

    /// Whether the host has to be allowed to hold keys.
    var needsHost: Bool { Accessibility.allCases.contains { residence($0) == .hostHeld } }

    /// When items of a class can be read.
    func availability(_ accessibility: Accessibility) -> Accessibility.Availability {
        residence(accessibility) == .hostHeld && accessibility.availability == .always
            ? .afterFirstUnlock : accessibility.availability
    }

    /// The row of docs/tokens.md.
    var cells: [String] {
        let residences = [
            whileUnlocked.name(of: .whenUnlocked), afterFirstUnlock.name(of: .afterFirstUnlock),
            always.name(of: .always),
        ]
        return ["`\(kind)`", "`\(suite.name)`"] + residences + [needsHost ? "yes" : "no", loss.rawValue]
    }

    /// Whether items are found, and so deleted, before the first unlock.
    var findsBeforeFirstUnlock: Bool { availability(.always) == .always }
}
