// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

/// The memory of the values of one answer.
@safe private struct ValueBuffer: @unchecked Sendable {
    // @unchecked: each value has a part of its own, which one thread writes, and who reads them waits for all threads.
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ buffer: UnsafeMutableRawBufferPointer) {
        unsafe self.buffer = buffer
    }

    func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
    }
}

extension KeychainCore {
    /// SecItemCopyMatching: digests find the rows, the metadata key opens attributes in the process, the token opens
    /// one item key for each value asked for.
    ///
    /// A row that does not open is logged and skipped.
    ///
    /// - Parameter progress: is told how many values are open, and of how many, unless it is quick.
    func copyMatching(
        _ request: MatchRequest, _ entitlements: Entitlements, _ trace: AccessTrace? = nil,
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> MatchResult {
        if let group = request.query.accessGroup, !entitlements.allows(group, forWriting: false) {
            throw Entitlements.missing(group, .copyMatching)
        }
        if !entitlements.isWildcard && entitlements.groups.isEmpty {
            throw Entitlements.missing(nil, .copyMatching)
        }
        let scopes = try directory.scopes(for: request.query, entitlements, forWriting: false, .copyMatching)
        guard let selection = SearchDigests.selection(request.query, in: scopes, try vault.index(.copyMatching)) else {
            throw Self.notFound(.copyMatching)
        }
        let access = GuardAccess(vault, request.credentials, .copyMatching)
        var unopened = Unopened()
        while true {
            var matches = try candidates(request, selection, scopes, access, &unopened)
            guard !matches.isEmpty else { throw unopened.nothing }
            guard request.returns.contains(.data) else {
                note(matches, trace)
                return MatchResult(items: matches.map(\.result), leftOut: unopened.leftOut.count)
            }
            let before = unopened.rows.count
            let values = try openValues(&matches, access, &unopened, progress)
            if unopened.rows.count == before {
                note(matches, trace)
                return MatchResult(
                    items: try finish(matches, request, values), values: values, leftOut: unopened.leftOut.count)
            }
            // Another row may take the place of one that did not open.
        }
    }

    /// Rows that were passed over, so that their neighbours are served.
    private struct Unopened {
        var rows: Set<Int64> = []
        /// The error of the first whose key is missing: told if nothing else matches, for such an item is not lost.
        var missingKey: KeychainError?
        /// Those that need a person, where nobody was to be asked.
        var leftOut: Set<Int64> = []

        /// The error if nothing else matches.
        var nothing: KeychainError {
            if let missingKey { return missingKey }
            guard let words = MatchResult.words(leftOut: leftOut.count) else {
                return KeychainCore.notFound(.copyMatching)
            }
            return KeychainError(
                .itemNotFound, .copyMatching, cause: .format(place: MatchResult.leftOutPlace, fault: words))
        }

        /// Takes note of a row; throws what concerns more than it.
        mutating func skip(_ row: Int64, _ failure: OpenFailure) throws(KeychainError) {
            if case .unavailable(let error) = failure {
                guard KeychainCore.isMissingKey(error) else { throw error }
                if missingKey == nil { missingKey = error }
            }
            rows.insert(row)
        }
    }

    /// A row that matches, and what of it is known so far.
    private struct Match: Sendable {
        let item: StoredItem
        let attributes: AttributeSet?
        var result: ItemResult
    }

    private func note(_ matches: [Match], _ trace: AccessTrace?) {
        guard let trace else { return }
        for match in matches {
            trace.touch(match.item.row.uuid, in: match.item.scope)
            if match.result.value != nil { trace.giveValue() }
        }
    }

    /// The rows that match, up to the limit, with attributes opened where they are needed.
    private func candidates(
        _ request: MatchRequest, _ selection: ItemSelection, _ scopes: [Scope], _ access: GuardAccess,
        _ unopened: inout Unopened
    ) throws(KeychainError) -> [Match] {
        let limit: Int? =
            switch request.limit {
            case .count(let count): count
            case .all: nil
            }
        let wantsData = request.returns.contains(.data)
        // Attributes prove that a row is whole; with the value alone asked for, opening the value does.
        // Found by search digests, or filtered, the attributes have to be looked at too.
        let opens =
            !wantsData || request.returns.contains(.attributes) || request.query.hasPostFilters
            || !selection.filters.isEmpty
        var matches: [Match] = []
        var after: Int64 = 0
        while limit.map({ matches.count < $0 }) ?? true {
            let missing = limit.map { $0 - matches.count }
            let wanted = request.query.hasPostFilters ? Self.page : missing
            let rows = try store.select(selection, after: after, limit: wanted, withValues: wantsData)
            for row in rows {
                // What lies behind the last match is not asked for anything, not even whether it is locked.
                if let limit, matches.count >= limit { break }
                after = row.id
                guard !unopened.rows.contains(row.id), let item = item(row, in: scopes) else { continue }
                try vault.requireUsable(item.key, .copyMatching)
                if item.isGuarded && request.authenticationUI == .skip {
                    unopened.leftOut.insert(row.id)
                    continue
                }
                var attributes: AttributeSet?
                if opens || row.value == nil {
                    do throws(OpenFailure) {
                        attributes = try item.attributes(.copyMatching, access.open(item))
                    } catch {
                        if case .damaged(let fault) = error { report(item, fault, column: "attributes") }
                        try unopened.skip(row.id, error)
                        continue
                    }
                }
                if let attributes, !fits(attributes, request.query) {
                    report(item, .otherAttributes, column: "search")
                    unopened.rows.insert(row.id)
                    continue
                }
                if request.query.hasPostFilters {
                    guard let attributes, passes(attributes, request.query) else { continue }
                }
                matches.append(match(item, attributes, request.returns))
            }
            if rows.isEmpty || wanted == nil || rows.count < (wanted ?? 0) { break }
        }
        return matches
    }

    private func match(_ item: StoredItem, _ attributes: AttributeSet?, _ returns: ReturnFlags) -> Match {
        var result = ItemResult(itemClass: item.scope.name.itemClass)
        if returns.contains(.attributes), let attributes {
            result.attributes = item.answer(attributes)
            result.accessControl = item.accessControl ?? AccessControl(bare: item.key.accessibility)
        }
        if returns.contains(.persistentReference) { result.persistentReference = item.reference }
        return Match(item: item, attributes: attributes, result: result)
    }

    /// Opens the value of each match into one secret; those that do not open leave the list and join `unopened`.
    private func openValues(
        _ matches: inout [Match], _ access: GuardAccess, _ unopened: inout Unopened, _ progress: (Int, Int) -> Void
    ) throws(KeychainError) -> SecretBytes? {
        var total = 0
        for index in matches.indices {
            guard let blob = matches[index].item.row.value else { continue }
            let size = Envelope.valueSize(ofSealed: blob) ?? 0
            matches[index].result.value = total..<total + size
            total += size
        }
        guard matches.contains(where: { $0.result.value != nil }) else { return nil }
        var values: SecretBytes
        do { values = try SecretBytes(count: total) } catch { throw KeychainError(error, .copyMatching) }
        var faulty = unopened
        let openings = matches.filter { $0.result.value != nil }
        unsafe try values.withUnsafeMutableBytes { (buffer) throws(KeychainError) in
            let output = unsafe ValueBuffer(buffer)
            try opening.run(
                openings.count, isAlone: { openings[$0].item.isGuarded },
                alone: { open(openings[$0], access, into: output) }, progress: { progress($0, openings.count) },
                open: { open(openings[$0], nil, into: output) }
            ) { (number, failure) throws(KeychainError) in
                let item = openings[number].item
                if case .damaged(let fault) = failure { report(item, fault, column: "value") }
                try faulty.skip(item.row.id, failure)
            }
        }
        matches.removeAll { faulty.rows.contains($0.item.row.id) }
        unopened = faulty
        return values
    }

    /// Opens the value of a match to where it belongs.
    private func open(_ match: Match, _ access: GuardAccess?, into output: ValueBuffer) -> ValueOpening.Outcome {
        guard let blob = match.item.row.value, let range = match.result.value else { return .opened(asked: false) }
        do throws(OpenFailure) {
            guard Envelope.valueSize(ofSealed: blob) != nil else { throw OpenFailure.damaged(.truncated) }
            let itemGuard = try access?.open(match.item)
            return .opened(
                asked: unsafe try vault.openValue(
                    blob, binding: match.item.binding, itemGuard: itemGuard, into: output.part(range), .copyMatching))
        } catch {
            return Self.outcome(of: error)
        }
    }

    /// What a value that does not open means for those after it.
    static func outcome(of failure: OpenFailure) -> ValueOpening.Outcome {
        if case .unavailable(let error) = failure, !isMissingKey(error) { return .stopped(failure) }
        return .skipped(failure)
    }

    /// The answers, with the digest that comes with attributes and data together.
    private func finish(
        _ matches: [Match], _ request: MatchRequest, _ values: borrowing SecretBytes?
    ) throws(KeychainError) -> [ItemResult] {
        guard request.returns.contains(.attributes) else { return matches.map(\.result) }
        var results: [ItemResult] = []
        for match in matches {
            var result = match.result
            if let attributes = match.attributes {
                // Without a value of its own nothing of its neighbours' may count.
                result.attributes?[.sha1] = try itemDigest(
                    attributes, values, in: result.value ?? 0..<0, .copyMatching)
            }
            results.append(result)
        }
        return results
    }
}
