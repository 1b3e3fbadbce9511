// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// A keychain with a victim and neighbours, whose file is changed while it is closed.
///
/// Row 1 is the victim; the others are neighbours in its own compartment and in three others.
struct DamageLab {
    let keychain: TestKeychain
    static let victim = "victim"
    static let group = "other group"

    init() throws {
        keychain = try TestKeychain().unlocked()
        let service = service
        for name in [Self.victim, "near", "far"] {
            try service.add(name, account: "ann", value: Array(name.utf8))
        }
        try service.add("first", account: "ann", value: Array("first".utf8), accessible: .afterFirstUnlock)
        _ = try service.add(
            AddRequest(
                itemClass: .genericPassword, attributes: [.service: .text("grouped")], accessGroup: .init(Self.group),
                value: SecretBytes(copying: Array("grouped".utf8))))
        _ = try service.add(
            AddRequest(
                itemClass: .genericPassword, attributes: [.service: .text("synced")], isSynchronizable: true,
                value: SecretBytes(copying: Array("synced".utf8))))
        _ = try service.add(
            AddRequest(
                itemClass: .internetPassword, attributes: [.account: .text("net")],
                value: SecretBytes(copying: Array("net".utf8))))
    }

    var service: any KeychainService { keychain.service("test", groups: ["test", Self.group]) }

    var database: String { keychain.home.path + "/keychain.db" }

    /// Closes the keychain, lets `body` change its file, opens it and logs in again.
    func edit(_ body: (StoreEditor) throws -> Void) throws {
        keychain.engine.close()
        try body(StoreEditor(database))
        try keychain.reopen()
        try keychain.unlocked()
    }

    /// Every row of the file; the keychain is closed and opened for it.
    func dump() throws -> [String] {
        var rows: [String] = []
        try edit { rows = try $0.dump() }
        return rows
    }

    /// The values of all generic passwords, as text.
    func allValues() throws -> Set<String> {
        try values(ItemQuery(itemClass: .genericPassword, synchronizable: .any))
    }

    /// The values that a query finds; none is no error here.
    func values(_ query: ItemQuery) throws -> Set<String> {
        do throws(KeychainError) {
            let answer = try service.copyMatching(MatchRequest(query, limit: .all, returns: [.data, .attributes]))
            return Set(
                answer.items.map { item in
                    answer.withValue(of: item) { String(decoding: $0?.array ?? [], as: UTF8.self) }
                })
        } catch {
            guard error.code == .itemNotFound else { throw error }
            return []
        }
    }

    static let neighbours: Set<String> = ["near", "far", "first", "grouped", "synced"]
}
