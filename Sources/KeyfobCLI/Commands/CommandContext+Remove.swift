// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob rm`: removes one item, or with `--all` every one that fits.
    func remove() throws(Failure) {
        let selector = try ItemSelector(invocation)
        try withKeychain { (keychain) throws(Failure) in try remove(selector, keychain) }
    }

    private func remove(_ selector: ItemSelector, _ keychain: any OpenKeychain) throws(Failure) {
        let removesAll = invocation.has(.all)
        let query = removesAll ? selector.query : Self.query(for: try findOne(selector, in: keychain))
        // Needs no login: what is removed is not opened.
        try failing(about: selector.words) { () throws(KeychainError) in
            try keychain.service.delete(DeleteRequest(query))
        }
        if wantsJSON {
            try console.write(JSON.object([("removed", .string(removesAll ? "all" : "one"))]).text + "\n")
        } else if console.errorIsTerminal {
            console.talk("removed \(removesAll ? "every " : "")\(selector.words)")
        }
    }

    private static func query(for reference: PersistentReference) -> ItemQuery {
        ItemQuery(itemClass: reference.itemClass, synchronizable: .any, persistentReference: reference)
    }
}
