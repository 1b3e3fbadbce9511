// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
package import KeyfobModel

/// What stands between an item and those who have its class key: secrets that are mixed into its keys, and the header
/// from which a person or a password gets them back.
///
/// ```
///   parts 1 (1 presence, 2 application password)
///     | presence: suite 1 | generation 4 | length 2 | presence secret, sealed
///     | password: scrypt log2 N 1 | r 1 | p 1 | salt 16
///     | check 16
/// ```
/// The check tells a wrong password from a damaged row. It is made of the metadata key too, so that nobody can guess
/// passwords who has not the token.
package final class ItemGuard: Sendable {
    /// As the row holds it.
    package let header: [UInt8]
    /// The presence secret, the derived password, or one after the other.
    let secrets: SecretBytes

    init(header: [UInt8], secrets: consuming SecretBytes) {
        self.header = header
        self.secrets = secrets
    }

    static let secretSize = 32
    static let saltSize = 16
    static let checkSize = 16

    /// A header, taken apart.
    package struct Header: Hashable, Sendable {
        struct Presence: Hashable, Sendable {
            let suite: PresenceSuite
            let generation: UInt32
            let sealed: [UInt8]
        }

        struct Password: Hashable, Sendable {
            let cost: KeyDerivation.Scrypt
            let salt: [UInt8]
        }

        let presence: Presence?
        let password: Password?
        let check: [UInt8]

        /// What it takes to open it.
        package var demand: AccessControl.Demand {
            AccessControl.Demand(needsPresence: presence != nil, needsApplicationPassword: password != nil)
        }

        /// What tells it from every other: its sealed secrets are random.
        package var identity: [UInt8] { encoded }

        /// Everything but the check.
        var withoutCheck: [UInt8] {
            var bytes: [UInt8] = [(presence != nil ? 1 : 0) | (password != nil ? 2 : 0)]
            if let presence {
                bytes.append(presence.suite.rawValue)
                bytes += BigEndian.bytes(presence.generation)
                bytes += [UInt8(presence.sealed.count >> 8), UInt8(presence.sealed.count & 255)] + presence.sealed
            }
            if let password {
                bytes += [password.cost.logarithm, password.cost.blockSize, password.cost.parallelism] + password.salt
            }
            return bytes
        }

        var encoded: [UInt8] { withoutCheck + check }

        init(presence: Presence?, password: Password?, check: [UInt8]) {
            self.presence = presence
            self.password = password
            self.check = check
        }

        /// Every length and number is checked before it is used.
        package init(_ bytes: [UInt8]) throws(Envelope.Fault) {
            var rest = bytes[...]
            let parts = try Self.take(1, of: &rest)[0]
            guard (1...3).contains(parts) else { throw .malformed }
            var presence: Presence?
            if parts & 1 != 0 {
                let start = Array(try Self.take(7, of: &rest))
                guard let suite = PresenceSuite(rawValue: start[0]) else { throw .unknownSuite(start[0]) }
                presence = Presence(
                    suite: suite, generation: BigEndian.number(start[1..<5]),
                    sealed: Array(try Self.take(Int(start[5]) << 8 | Int(start[6]), of: &rest)))
            }
            var password: Password?
            if parts & 2 != 0 {
                let start = Array(try Self.take(3, of: &rest))
                let cost = KeyDerivation.Scrypt(logarithm: start[0], blockSize: start[1], parallelism: start[2])
                guard cost.isAcceptable else { throw .malformed }
                password = Password(cost: cost, salt: Array(try Self.take(ItemGuard.saltSize, of: &rest)))
            }
            let check = Array(try Self.take(ItemGuard.checkSize, of: &rest))
            guard rest.isEmpty else { throw .malformed }
            self.init(presence: presence, password: password, check: check)
        }

        private static func take(
            _ count: Int, of rest: inout ArraySlice<UInt8>
        ) throws(Envelope.Fault) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw .truncated }
            defer { rest = rest.dropFirst(count) }
            let taken = rest.prefix(count)
            return ArraySlice(Array(taken))
        }
    }
}
