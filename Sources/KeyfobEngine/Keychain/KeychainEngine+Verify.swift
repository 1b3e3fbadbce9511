// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

extension KeychainEngine {
    private static let page = 256

    /// Opens every item and compares its digests with what they should be; changes nothing.
    ///
    /// - Parameters:
    ///   - caller: who asked, for the audit log; nil: this process.
    ///   - progress: called with the rows done and the rows there are.
    /// - Throws: the token's and the store's faults; a damaged row is a finding.
    package func verify(
        by caller: Caller? = nil, _ progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> VerificationReport {
        try recording(.verify, by: caller) { () throws(KeychainError) in try openAll(progress) }
    }

    private func openAll(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport {
        var report = VerificationReport()
        let total = try core.store.classKeyUse().reduce(0) { $0 + $1.items }
        var scopes: [Int64: Scope] = [:]
        for (id, digest, name) in try core.directory.names() {
            guard let name, try core.directory.scope(name, .verify).digest == digest else { continue }
            scopes[id] = Scope(id: id, name: name, digest: digest)
        }
        var after: Int64 = 0
        var done = 0
        var searchRows = 0
        while true {
            let rows = try core.store.allItems(after: after, limit: Self.page)
            guard let last = rows.last else { break }
            after = last.id
            searchRows += try verify(rows, scopes, &report) { progress(done + $0, max(done + $0, total)) }
            done += rows.count
            progress(done, max(done, total))
        }
        if try core.store.searchRowCount() != searchRows {
            let fault = "has rows that belong to no item"
            report.findings.append(VerificationReport.Finding(row: 0, item: .zero, column: "search", fault: fault))
        }
        return report
    }

    /// Opens the attributes of each row, and the values afterwards, by as many threads as the token gains by.
    ///
    /// - Returns: how many rows of the search table lead to them.
    private func verify(
        _ rows: [SealedItem], _ scopes: [Int64: Scope], _ report: inout VerificationReport, _ progress: (Int) -> Void
    ) throws(KeychainError) -> Int {
        var page = VerificationReport()
        var searchRows = 0
        var items: [StoredItem] = []
        for row in rows {
            searchRows += try verifySearchRows(row, &page)
            if let item = try verify(row, scopes, &page) { items.append(item) }
        }
        let (found, locked) = (items, rows.count - items.count)
        try core.opening.run(
            found.count, progress: { progress(locked + $0) },
            open: { number in
                do throws(OpenFailure) {
                    _ = try found[number].value(.verify)
                    return .opened(asked: found[number].row.value != nil)
                } catch {
                    return KeychainCore.outcome(of: error)
                }
            }
        ) { (number, failure) throws(KeychainError) in
            switch failure {
            case .damaged(let fault): add(found[number].row, "value", fault.words, &page)
            case .unavailable(let error):
                guard KeychainCore.isMissingKey(error) else { throw error }
                add(found[number].row, "class_key", Self.words(missingKey: error), &page)
            }
        }
        // An item that cannot be found is whole all the same.
        let faulty = Set(page.findings.lazy.filter { $0.column != "search" }.map(\.row))
        report.locked += page.locked
        report.verified += found.count { !faulty.contains($0.row.id) }
        // By row, and of each row in the order in which they were found.
        report.findings += page.findings.enumerated().sorted {
            ($0.element.row, $0.offset) < ($1.element.row, $1.offset)
        }.map(\.element)
        return searchRows
    }

    /// Looks up each digest of a row in the search table, which needs no key; says how many were found.
    private func verifySearchRows(
        _ row: SealedItem, _ report: inout VerificationReport
    ) throws(KeychainError) -> Int {
        let stored = try core.store.searchDigests(of: row.id) ?? []
        let found = try core.store.indexedDigests(stored, scope: row.scope, item: row.id).count
        if found != stored.count { add(row, "search", "does not lead to the item by all its digests", &report) }
        return found
    }

    /// Opens the attributes of a row.
    ///
    /// - Returns: the item whose value is to be opened too; nil: it is locked, or that would lead to nothing.
    private func verify(
        _ row: SealedItem, _ scopes: [Int64: Scope], _ report: inout VerificationReport
    ) throws(KeychainError) -> StoredItem? {
        guard let scope = scopes[row.scope] else {
            add(row, "scope", "does not open or names no compartment", &report)
            return nil
        }
        guard let item = StoredItem(row, scope: scope, vault: core.vault) else {
            add(row, "class_key", "names no accessibility class", &report)
            return nil
        }
        if let named = Envelope.classKey(ofMetadata: row.metadata), named != item.key {
            add(row, "class_key", Envelope.Fault.otherClassKey.words, &report)
            return nil
        }
        guard core.vault.allows(item.key) else {
            report.locked += 1
            return nil
        }
        if item.isGuarded {
            try verifyGuard(item, &report)
            return nil
        }
        do {
            let attributes = try item.attributes(.verify)
            try verifyDigests(item, attributes, &report)
        } catch let error as KeychainError {
            throw error
        } catch OpenFailure.damaged(let fault) {
            add(row, "metadata", fault.words, &report)
        } catch OpenFailure.unavailable(let error) {
            guard KeychainCore.isMissingKey(error) else { throw error }
            add(row, "class_key", Self.words(missingKey: error), &report)
            return nil
        } catch {
            throw KeychainError(.internalError, .verify)
        }
        return item
    }

    /// Of an item that needs a person no more can be said than whether its guard is one: it counts as locked.
    private func verifyGuard(_ item: StoredItem, _ report: inout VerificationReport) throws(KeychainError) {
        do throws(OpenFailure) {
            _ = try item.guardHeader()
            report.locked += 1
        } catch {
            switch error {
            case .damaged(let fault): add(item.row, "metadata", fault.words, &report)
            case .unavailable(let error): throw error
            }
        }
    }

    private func verifyDigests(
        _ item: StoredItem, _ attributes: AttributeSet, _ report: inout VerificationReport
    ) throws(KeychainError) {
        let index = try core.vault.index(.verify)
        if index.tuple(item.scope.name.itemClass, attributes) != item.row.tuple {
            add(item.row, "tuple", "is not that of the item's primary key", &report)
        }
        let expected = Set(SearchDigests.of(attributes, in: item.scope, index))
        let stored = Set(try core.store.searchDigests(of: item.row.id) ?? [])
        if expected != stored {
            add(item.row, "digests", "does not hold the digests of the item's attributes", &report)
        }
    }

    private static func words(missingKey error: KeychainError) -> String {
        error.code == .storeDamaged ? "names a key whose own row is damaged" : "names a key that is not there"
    }

    private func add(_ row: SealedItem, _ column: String, _ fault: String, _ report: inout VerificationReport) {
        report.findings.append(VerificationReport.Finding(row: row.id, item: row.uuid, column: column, fault: fault))
    }
}
