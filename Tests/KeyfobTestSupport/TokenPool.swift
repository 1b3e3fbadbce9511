// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobPKCS11
internal import Synchronization

/// The tokens that tests have handed back; the next test gets one of them, made anew by `C_InitToken`.
package final class TokenPool: Sendable {
    package static let shared = TokenPool()

    private let free = Mutex<[SoftHSMToken]>([])

    /// A pool with nothing in it.
    package init() {}

    /// Keeps the tokens for whoever comes next.
    package func takeBack(_ tokens: [SoftHSMToken]) {
        free.withLock { $0.append(contentsOf: tokens) }
    }

    /// A token as good as new under another label, without a user PIN; nil if there is none.
    ///
    /// - Returns: the token and the SO PIN it has kept.
    package func take(label: String) throws -> (token: Token, slot: SlotID, soPIN: [UInt8])? {
        for _ in 0..<free.withLock({ $0.count }) {
            guard let old = free.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
            switch try Self.renew(old, label: label) {
            case .made(let token): return (token, old.slot, old.soPINText)
            case .inUse: takeBack([old])
            case .spoiled: continue
            }
        }
        return nil
    }

    private enum Renewal {
        case made(Token)
        /// Somebody still has a session, whose end the token waits for.
        case inUse
        /// Its test left it in a state that `C_InitToken` does not end, or it is gone.
        case spoiled
    }

    private static func renew(_ old: SoftHSMToken, label: String) throws -> Renewal {
        let module = SoftHSM.shared.module
        do throws(PKCS11Error) {
            // The SO PIN is for this token only: a try would leave its mark on another.
            guard try module.info(of: old.slot).serial == old.uri.serial else { return .spoiled }
        } catch {
            return .spoiled
        }
        let soPIN = try SecretBytes(copying: old.soPINText)
        do throws(PKCS11Error) {
            let token = try module.initializeToken(in: old.slot, label: label, soPIN: soPIN)
            let info = try token.info()
            return info.flags == SoftHSMToken.newFlags && info.serial == old.uri.serial ? .made(token) : .spoiled
        } catch {
            return error.returnValue == .sessionExists ? .inUse : .spoiled
        }
    }
}
