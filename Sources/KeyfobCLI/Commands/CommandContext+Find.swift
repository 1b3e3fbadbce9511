// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// The items that fit, by their attributes; none is no error.
    func find(_ query: ItemQuery, in keychain: any OpenKeychain) throws(KeychainError) -> [FoundItem] {
        do throws(KeychainError) {
            return try asking(keychain) { (credentials) throws(KeychainError) in
                var request = MatchRequest(query, limit: .all, returns: [.attributes, .persistentReference])
                request.credentials = credentials
                return try keychain.service.copyMatching(request)
            }.items.map { FoundItem($0) }
        } catch {
            guard error.code == .itemNotFound else { throw error }
            return []
        }
    }

    /// The one item that is meant.
    ///
    /// - Throws: `Failure` with status `notFound`, or `ambiguous` with the accounts of all that fit.
    func findOne(_ selector: ItemSelector, in keychain: any OpenKeychain) throws(Failure) -> PersistentReference {
        let found = try failing(about: selector.words) { () throws(KeychainError) in
            let seen = try look(selector.query, in: keychain)
            return seen.leftOut == nil ? seen.items : try find(selector.query, in: keychain)
        }
        return try only(found, selector)
    }

    /// The reference of the one item that was found.
    ///
    /// - Throws: as `findOne`.
    func only(_ found: [FoundItem], _ selector: ItemSelector) throws(Failure) -> PersistentReference {
        guard let first = found.first else {
            throw Failure(
                .notFound, "there is no \(selector.words)", hint: "keyfob list shows the items there are")
        }
        guard found.count == 1, let reference = first.reference else { throw ambiguous(selector, found) }
        return reference
    }

    /// The failure that shows how to tell the items apart.
    func ambiguous(_ selector: ItemSelector, _ found: [FoundItem]) -> Failure {
        let accounts = Set(found.map(\.account)).sorted()
        let groups = Set(found.map(\.group)).sorted()
        if accounts.count > 1 {
            let shown = accounts.prefix(20).map(Printable.quoted).joined(separator: ", ")
            return Failure(
                .ambiguous,
                "\(accounts.count) accounts have an \(selector.words): \(shown)\(accounts.count > 20 ? ", …" : "")",
                hint: "name one with --account")
        }
        if groups.count > 1 {
            let shown = groups.map(Printable.quoted).joined(separator: ", ")
            return Failure(
                .ambiguous, "\(groups.count) access groups have an \(selector.words): \(shown)",
                hint: "name one with --group")
        }
        let isInternet = selector.className.itemClass == .internetPassword
        return Failure(
            .ambiguous, "\(found.count) items fit: \(selector.words)",
            hint: "tell them apart with --synchronizable" + (isInternet ? ", --protocol, --port or --path" : ""))
    }
}
