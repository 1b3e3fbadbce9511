// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport

@testable import KeyfobEngine
@testable import KeyfobVault

/// What anybody in the process can do with the keys of the classes that a lock takes away, tried on the token beside the
/// keychain, through the module that the keychain uses: another connection to a server has another login.
struct KeyWitness {
    private struct Known {
        let code: String
        let kind: KeyObjectKind
        let handle: ObjectHandle
    }

    private static let codes = ["ak", "aku", "akpu"]

    private let token: Token
    private let prefix: String
    private var known: [Known] = []

    /// Keeps the handles of every key of those classes, copies in sessions among them; the keychain is unlocked.
    init(_ keychain: TokenKeychain) throws {
        token = try Token.find(TestToken.shared.uri, in: [keychain.engine.core.vault.token.module])
        prefix = "keyfob/\(keychain.uuid)/"
        guard let suite = try keychain.engine.status().keys.first?.suite else { return }
        known = try look(suite.objectKinds)
        // What is refused later is accepted now, or there would be nothing to see.
        for key in known where try !key.kind.isAccepted(key.handle, on: token) {
            throw PKCS11Error(.malformed("the key of \(key.code) is refused while unlocked"))
        }
    }

    /// The classes of which a handle was kept, in the order of `codes`.
    var remembered: [String] { Self.codes.filter { code in known.contains { $0.code == code } } }

    /// The classes of which a search finds a key now.
    func found() throws -> [String] { try look(Array(Set(known.map(\.kind)))).map(\.code) }

    /// The classes of which the token takes a handle that was kept.
    func accepted() throws -> [String] {
        try known.filter { try $0.kind.isAccepted($0.handle, on: token) }.map(\.code)
    }

    private func look(_ kinds: [KeyObjectKind]) throws(PKCS11Error) -> [Known] {
        try token.withSession { (session) throws(PKCS11Error) in
            var all: [Known] = []
            for kind in kinds {
                var template = Template()
                template.set(kind.objectClass)
                template.set(kind.type)
                for handle in try session.find(template, limit: 1_000) {
                    let label = String(decoding: try session.bytes(of: handle, .label) ?? [], as: UTF8.self)
                    guard label.hasPrefix(prefix) else { continue }
                    let code = String(label.dropFirst(prefix.count).prefix { $0 != "/" })
                    if Self.codes.contains(code) { all.append(Known(code: code, kind: kind, handle: handle)) }
                }
            }
            return all
        }
    }
}
