// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob get`: the bytes of one value.
    func get() throws(Failure) {
        let selector = try ItemSelector(invocation)
        try withKeychain { (keychain) throws(Failure) in try get(selector, keychain) }
    }

    private func get(_ selector: ItemSelector, _ keychain: any OpenKeychain) throws(Failure) {
        let seen = try failing(about: selector.words) { () throws(KeychainError) in
            try look(selector.query, in: keychain)
        }
        // One query where a person is needed: each would take the PIN for itself.
        guard seen.leftOut == nil else { return try getAsking(selector, keychain) }
        let reference = try only(seen.items, selector)
        let query = ItemQuery(
            itemClass: reference.itemClass, synchronizable: .any, persistentReference: reference)
        try get(selector, keychain, query, wantsJSON ? [.data, .attributes, .persistentReference] : .data)
    }

    private func getAsking(_ selector: ItemSelector, _ keychain: any OpenKeychain) throws(Failure) {
        try get(selector, keychain, selector.query, [.data, .attributes, .persistentReference])
    }

    private func get(
        _ selector: ItemSelector, _ keychain: any OpenKeychain, _ query: ItemQuery, _ returns: ReturnFlags
    ) throws(Failure) {
        let result: MatchResult
        do throws(KeychainError) {
            result = try asking(keychain) { (credentials) throws(KeychainError) in
                var request = MatchRequest(query, limit: .all, returns: returns)
                request.credentials = credentials
                return try keychain.service.copyMatching(request)
            }
        } catch {
            guard error.code == .itemNotFound else { throw Failure(error, about: selector.words) }
            // It was there a moment ago: its value does not open, or somebody removed it in between.
            throw Failure(
                .damaged, "the value does not open: \(selector.words)", hint: "keyfob verify says what is wrong with it"
            )
        }
        guard let item = result.items.first else {
            throw Failure(.notFound, "there is no \(selector.words)")
        }
        guard result.items.count == 1 else { throw ambiguous(selector, result.items.map { FoundItem($0) }) }
        try result.withValue(of: item) { (value) throws(Failure) in
            guard let value else {
                throw Failure(.notFound, "the item has no value: \(selector.words)", hint: "keyfob set gives it one")
            }
            if wantsJSON { try write(value, of: FoundItem(item)) } else { try write(value) }
        }
    }

    private func write(_ value: RawSpan) throws(Failure) {
        try console.write(value)
        if console.outputIsTerminal { try console.write("\n") }
    }

    /// One object on one line: the attributes, then the value, which never lies outside of secret memory.
    private func write(_ value: RawSpan, of item: FoundItem) throws(Failure) {
        let secret: SecretBytes
        do throws(SecretMemoryError) { secret = try JSONText.secret(value) } catch {
            throw Failure(KeychainError(error, .copyMatching))
        }
        try console.write(item.json.text.dropLast() + ", \"value\": ")
        try secret.withBytes { (bytes) throws(Failure) in try console.write(bytes) }
        try console.write("}\n")
    }
}
