// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

/// The operations whose token calls and statements are counted, on a keychain of five items; names as in
/// Tests/Thresholds/engine.json.
enum CountedOperation: String, CaseIterable, Sendable {
    case copyValue = "copy one value"
    case copyAttributes = "copy attributes"
    case exists = "ask whether an item exists"
    case searchByLabel = "search by label"
    case copyFiveValues = "copy five values"
    case add = "add one item"
    case addDuplicate = "add a duplicate"
    case updateComment = "update a comment"
    case updateValue = "update a value"
    case updateAccount = "update an account"
    case delete = "delete one item"
    case deleteAll = "delete five items"
    case unlock = "unlock again"
    case lock = "lock"

    /// How many items `prepared` adds.
    static let items = 5

    /// A keychain in which everything that is made at a first use is made.
    func prepared() throws -> TestKeychain {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        for number in 0..<Self.items { try service.add("mail", account: "\(number)", returns: .attributes) }
        _ = try service.value("mail", account: "0")
        if self == .unlock { try keychain.engine.lock() }
        return keychain
    }

    /// The one call that is counted.
    func run(_ keychain: TestKeychain) throws {
        let service = keychain.service()
        switch self {
        case .copyValue: _ = try service.copyMatching(MatchRequest(Self.one, returns: .data))
        case .copyAttributes: _ = try service.copyMatching(MatchRequest(Self.one, returns: .attributes))
        case .exists: _ = try service.copyMatching(MatchRequest(Self.one))
        case .searchByLabel:
            let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")])
            _ = try service.copyMatching(MatchRequest(query, returns: .attributes))
        case .copyFiveValues: _ = try service.copyMatching(MatchRequest(Self.all, limit: .all, returns: .data))
        case .add: try service.add("news", account: "0")
        case .addDuplicate: _ = code { try service.add("mail", account: "0") }
        case .updateComment: try service.update(UpdateRequest(Self.one, changes: [.comment: .text("changed")]))
        case .updateValue: try service.update(UpdateRequest(Self.one, value: SecretBytes(copying: [9])))
        case .updateAccount: try service.update(UpdateRequest(Self.one, changes: [.account: .text("other")]))
        case .delete: try service.delete(DeleteRequest(Self.one))
        case .deleteAll: try service.delete(DeleteRequest(Self.all))
        case .unlock: try keychain.unlocked()
        case .lock: try keychain.engine.lock()
        }
    }

    private static let one = ItemQuery(
        itemClass: .genericPassword, attributes: [.service: .text("mail"), .account: .text("0")])
    private static let all = ItemQuery(itemClass: .genericPassword)
}
