// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine

/// The bare calls, measured in the same rounds as all else.
struct Limits {
    let decrypt: Series
    let encrypt: Series
    let read: Series
    let insert: Series
    private let others: [(id: String, words: String, series: Series)]

    /// The class keys of `WhenUnlocked` items are private session objects: so is the key that they are compared with.
    init(_ keychain: BenchKeychain, items: Int) throws {
        let path = try keychain.modulePath()
        let label = keychain.engine.tokenLabel
        func token(_ isManaged: Bool, _ isPrivate: Bool) throws -> BareToken {
            try BareToken(modulePath: path, label: label, isManaged: isManaged, isPrivate: isPrivate)
        }
        let direct = try token(false, true)
        let managed = try token(true, true)
        let open = try token(false, false)
        let store = try BareStore(path: keychain.folder + "/bare.db", rows: items)
        decrypt = Series("decrypt", batch: 20, batches: 50) { _ in try direct.decrypt() }
        encrypt = Series("encrypt", batch: 20, batches: 50) { _ in try direct.encrypt() }
        read = Series("read", batch: 20, batches: 50) { _ in try store.read() }
        insert = Series("insert", batch: 2, batches: 50) { _ in try store.insert() }
        others = [
            (
                "bare-decrypt-p11-kit", "the same through p11-kit",
                Series("managed", batch: 20, batches: 50) { _ in try managed.decrypt() }
            ),
            (
                "bare-decrypt-public", "the same with a public session key",
                Series("public", batch: 20, batches: 50) { _ in try open.decrypt() }
            ),
        ]
    }

    var series: [Series] { [decrypt, encrypt, read, insert] + others.map(\.series) }

    var figures: [Figure] {
        [Figure("bare-decrypt", "C_Decrypt AES-GCM 48 bytes, private session key", decrypt.median)]
            + others.map { Figure($0.id, $0.words, $0.series.median) }
            + [
                Figure("bare-encrypt", "C_Encrypt AES-GCM 48 bytes, private session key", encrypt.median),
                Figure("bare-read", "SQLite indexed read", read.median),
                Figure("bare-insert", "SQLite insert, WAL, synchronous=FULL, unique index", insert.median),
            ]
    }

    /// The least that a copy of a value costs.
    var copy: Figure.Limit { Figure.Limit(value: decrypt.median + read.median, words: "token + read") }

    /// The least that a durable write with a new value costs.
    var write: Figure.Limit { Figure.Limit(value: encrypt.median + insert.median, words: "token + insert") }

    /// The least that a durable change without a new value costs.
    var change: Figure.Limit { Figure.Limit(value: read.median + insert.median, words: "read + insert") }
}
