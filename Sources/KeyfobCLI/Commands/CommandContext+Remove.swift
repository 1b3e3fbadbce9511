// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

extension CommandContext {
    /// `keyfob rm`: removes one item, or with `--all` every one that fits.
    func remove() throws(Failure) {
        let selector = try ItemSelector(invocation)
        try withKeychain { (keychain) throws(Failure) in try remove(selector, keychain) }
    }

    private func remove(_ selector: ItemSelector, _ keychain: any OpenKeychain) throws(Failure) {
        let removed: Int
        if invocation.has(.all) {
            removed = try removeAll(selector, keychain)
        } else {
            let reference = try findOne(selector, in: keychain)
            try failing(about: selector.words) { () throws(KeychainError) in
                try keychain.service.delete(
                    DeleteRequest(
                        ItemQuery(
                            itemClass: reference.itemClass, synchronizable: .any, persistentReference: reference)))
            }
            removed = 1
        }
        if wantsJSON {
            try console.write(JSON.object([("removed", .number(Int64(removed)))]).text + "\n")
        } else if console.errorIsTerminal {
            console.talk(removed == 1 ? "removed \(selector.words)" : "removed \(removed) items \(selector.words)")
        }
    }

    private func removeAll(_ selector: ItemSelector, _ keychain: any OpenKeychain) throws(Failure) -> Int {
        try failing(about: selector.words) { () throws(KeychainError) in
            let found = try find(selector.query, in: keychain)
            try keychain.service.delete(DeleteRequest(selector.query))
            return found.count
        }
    }
}
