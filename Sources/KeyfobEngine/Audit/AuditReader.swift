// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

/// Answers an owner's question about the audit log, with the names that can be had now.
struct AuditReader: ~Copyable {
    private let core: KeychainCore
    private let snapshot: AuditSnapshot
    private var filter: AuditFilter
    private let query: AuditQuery
    private let scopes: [Int64]
    private let groups: [[UInt8]: AccessGroup]
    private var known: [ItemUUID: AuditRecord.Item] = [:]

    /// - Throws: the store's faults.
    init(_ query: AuditQuery, _ snapshot: consuming AuditSnapshot, _ core: KeychainCore) throws(KeychainError) {
        self.core = core
        self.query = query
        let filter = try AuditFilter(query, core)
        let names = try core.directory.names()
        self.snapshot = snapshot
        self.filter = filter
        scopes = names.map(\.id)
        var groups: [[UInt8]: AccessGroup] = [:]
        for (_, digest, name) in names {
            if let name { groups[Array(digest.prefix(AccessTrace.digestSize))] = name.group }
        }
        self.groups = groups
    }

    /// The lines that fit, oldest first.
    ///
    /// - Throws: the faults of the disk and of the store.
    mutating func records() throws(KeychainError) -> [AuditRecord] {
        // No line has a greater number than the greatest.
        guard query.after < .max else { return [] }
        var lines: [AuditLine] = []
        do throws(PosixError) {
            let start = filter.needsHistory ? 0 : query.after + 1
            for name in snapshot.names where lines.count < query.limit {
                guard var reader = try snapshot.reader(name, from: start) else { continue }
                while lines.count < query.limit, let piece = try reader.next() {
                    // What is no line is for `keyfob audit verify` to tell.
                    guard let line = AuditLine(piece.bytes), filter.accepts(line), line.sequence > query.after else {
                        continue
                    }
                    lines.append(line)
                }
            }
        } catch {
            throw KeychainError(error, .audit, path: snapshot.files.folder)
        }
        var records: [AuditRecord] = []
        for line in lines { records.append(try record(line)) }
        return records
    }

    // MARK: - Names

    private mutating func record(_ line: AuditLine) throws(KeychainError) -> AuditRecord {
        var note: String?
        let event: AccessEvent
        switch line.content {
        case .access(let access): event = access
        case .checkpoint:
            event = AccessEvent(.checkpoint)
            note = "sealed by the token"
        case .recovered(let recovery):
            event = AccessEvent(.recovered)
            note = recovery.words
        case .lost(let count):
            event = AccessEvent(.lost)
            note = "\(count) lines could not be written"
        }
        var items: [AuditRecord.Item] = []
        for uuid in event.items { items.append(try item(uuid)) }
        var found: [AccessGroup] = []
        for scope in event.scopes {
            if let group = groups[scope], !found.contains(group) { found.append(group) }
        }
        return AuditRecord(
            sequence: line.sequence, time: AuditTime.seconds(line.time), event: event, items: items, groups: found,
            note: note)
    }

    private mutating func item(_ uuid: ItemUUID) throws(KeychainError) -> AuditRecord.Item {
        if let item = known[uuid] { return item }
        let item = try look(up: uuid)
        known[uuid] = item
        return item
    }

    private func look(up uuid: ItemUUID) throws(KeychainError) -> AuditRecord.Item {
        let nameless = AuditRecord.Item(uuid: uuid)
        let rows = try core.store.select(ItemSelection(scopes: scopes, kind: .uuid(uuid)), limit: 1, withValues: false)
        guard let row = rows.first,
            let name = try core.directory.names().first(where: { $0.id == row.scope })?.name
        else { return nameless }
        let scope = Scope(id: row.scope, name: name, digest: try core.directory.scope(name, .audit).digest)
        guard let stored = StoredItem(row, scope: scope, vault: core.vault),
            core.vault.allows(stored.key)
        else { return nameless }
        // An item that does not open keeps its UUID for a name; `keyfob verify` says why.
        guard let attributes = try? stored.attributes(.audit) else { return nameless }
        return AuditRecord.Item(
            uuid: uuid, name: attributes[name.itemClass.auditedName]?.bytes, account: attributes[.account]?.bytes)
    }
}

extension AttributeValue {
    /// The bytes of text or data; nil for numbers and dates.
    fileprivate var bytes: WipedBytes? {
        switch self {
        case .text(let bytes), .data(let bytes): bytes
        case .number, .date: nil
        }
    }
}

extension AuditRecovery {
    /// What was found, in words.
    var words: String {
        let what =
            switch fault {
            case .torn: "a line was not finished"
            case .truncated: "the log ended before its last checkpoint"
            case .changed: "the log differed from its last checkpoint"
            case .malformed: "the log ended in what is no line"
            case .forged: "the checkpoint in the store was not the token's"
            }
        return dropped > 0 ? "\(what): \(dropped) bytes removed" : what
    }
}
