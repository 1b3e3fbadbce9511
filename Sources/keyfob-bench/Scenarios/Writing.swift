// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import Security

/// Adding, changing and deleting, one caller at a time; the number of items stays what it is.
struct Writing {
    private let add: Series
    private let addBySecItem: Series
    private let label: Series
    private let value: Series
    private let delete: Series

    init(_ keychain: BenchKeychain, items: Int) {
        let service = keychain.service
        var dice = Dice()
        let batch = 2
        func addAll(_ count: Int) throws {
            for index in 0..<count { try BenchItem.add(items + index, to: service) }
        }
        func deleteAll(_ count: Int) throws {
            for index in 0..<count { try BenchItem.delete(items + index, from: service) }
        }
        add = Series("add", batch: batch, batches: 50, settle: deleteAll) { index in
            try BenchItem.add(items + index, to: service)
        }
        let calls = SecItemCalls(count: batch, items: items, returning: kSecReturnData)
        addBySecItem = Series("add-secitem", batch: batch, batches: 50, settle: deleteAll) { try calls.add($0) }
        delete = Series("delete", batch: batch, batches: 50, prepare: addAll) { index in
            try BenchItem.delete(items + index, from: service)
        }
        label = Series("label", batch: batch, batches: 50) { _ in
            let number = Int.random(in: 0..<items, using: &dice)
            let changes: AttributeSet = [.comment: .text("changed \(UInt16.random(in: 0 ... .max, using: &dice))")]
            try service.update(UpdateRequest(BenchItem.query(number), changes: changes))
        }
        value = Series("value", batch: batch, batches: 50) { _ in
            let number = Int.random(in: 0..<items, using: &dice)
            let value = try SecretBytes(copying: BenchItem.value(number))
            try service.update(UpdateRequest(BenchItem.query(number), value: value))
        }
    }

    var series: [Series] { [add, addBySecItem, label, value, delete] }

    func figures(_ limits: Limits) -> [Figure] {
        let insert = Figure.Limit(value: limits.insert.median, words: "insert")
        return [
            Figure("add", "add one item, KeychainService", add.median, limit: limits.write, goal: .atMost(1.5)),
            Figure(
                "add-secitem", "add one item, SecItemAdd", addBySecItem.median, limit: limits.write,
                goal: .atMost(1.5)),
            Figure("update-comment", "update a comment", label.median, limit: limits.change),
            Figure("update-value", "update a value", value.median, limit: limits.write),
            Figure("delete", "delete one item", delete.median, limit: insert),
        ]
    }
}
