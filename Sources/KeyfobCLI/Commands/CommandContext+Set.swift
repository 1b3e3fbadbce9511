// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob set`: adds an item, or gives a new value to the one that exists.
    func set() throws(Failure) {
        let selector = try ItemSelector(invocation)
        guard invocation[.pinSource] != "-" || console.inputIsTerminal else {
            throw Failure(
                .usage, "the standard input cannot hold both the PIN and the value",
                hint: "give the PIN by --pin-source FILE")
        }
        guard selector.synchronizable != .synchronizableOnly || selector.accessibility?.isThisDeviceOnly != true else {
            throw Failure(
                .usage, "an item of this device only cannot be synchronizable",
                hint: "leave out --synchronizable yes, or choose another class with --accessible")
        }
        try withKeychain { (keychain) throws(Failure) in try set(selector, keychain) }
    }

    private func set(_ selector: ItemSelector, _ keychain: any OpenKeychain) throws(Failure) {
        let needsLogin =
            (selector.accessibility ?? .whenUnlocked).availability != .always && mayLogIn(to: keychain)
            && !keychain.isUnlocked
        // Before the value is asked for: a person who mistypes the PIN should not have to type the value again.
        if needsLogin { try failing { () throws(KeychainError) in try logIn(to: keychain) } }
        let control = try required(selector)
        // Before the value too, and twice: nobody could read the item with a password that was mistyped.
        if control?.names(.applicationPassword) == true {
            try failing(about: selector.words) { () throws(KeychainError) in
                try ask(.applicationPassword, isNew: true, keychain, KeychainError(.applicationPasswordRequired, .add))
            }
        }
        let value = try readValue(selector)
        let isNew = try store(value, selector, control, keychain)
        try announce(isNew ? "added" : "replaced", selector)
    }

    private func readValue(_ selector: ItemSelector) throws(Failure) -> SecretBytes {
        var value = try failing(about: selector.words) { () throws(KeychainError) in
            try secrets.value(label: "Value of \(Printable.quoted(selector.name ?? ""))")
        }
        if invocation.has(.stripNewline) {
            let length = value.count
            let endsWithLineFeed = value.withBytes { bytes in
                unsafe length > 0 && bytes.unsafeLoad(fromByteOffset: length - 1, as: UInt8.self) == 0x0A
            }
            if endsWithLineFeed { value.truncate(to: length - 1) }
        }
        return value
    }

    /// Whether the item is new.
    ///
    /// An item may be added or removed by others between the two calls: then once more.
    private func store(
        _ value: borrowing SecretBytes, _ selector: ItemSelector, _ control: AccessControl?,
        _ keychain: any OpenKeychain
    ) throws(Failure) -> Bool {
        for _ in 0..<3 {
            do throws(KeychainError) {
                try add(value, selector, control, keychain)
                return true
            } catch {
                guard error.code == .duplicateItem else { throw Failure(error, about: selector.words) }
            }
            guard let reference = try twin(of: selector, in: keychain) else { continue }
            do throws(KeychainError) {
                try replace(reference, value, selector, control, keychain)
                return false
            } catch {
                guard error.code == .itemNotFound else { throw Failure(error, about: selector.words) }
            }
        }
        throw Failure(.inUse, "others add and remove it all the time: \(selector.words)")
    }

    private func add(
        _ value: borrowing SecretBytes, _ selector: ItemSelector, _ control: AccessControl?,
        _ keychain: any OpenKeychain
    ) throws(KeychainError) {
        var attributes = selector.identity
        attributes[.label] = .text(invocation[.label] ?? selector.name ?? "")
        _ = try asking(keychain) { (credentials) throws(KeychainError) in
            var request = AddRequest(
                itemClass: selector.className.itemClass, attributes: attributes, accessGroup: selector.group,
                isSynchronizable: selector.synchronizable == .synchronizableOnly,
                accessibility: selector.accessibility, accessControl: control, value: try Self.copy(value))
            request.credentials = credentials
            return try keychain.service.add(request)
        }
    }

    /// The item that was in the way of an add, or nil if it is gone by now.
    ///
    /// - Throws: `Failure` with status `ambiguous` if several groups have one: they must not all change.
    private func twin(
        of selector: ItemSelector, in keychain: any OpenKeychain
    ) throws(Failure) -> PersistentReference? {
        let local =
            selector.synchronizable == .synchronizableOnly ? SynchronizableFilter.synchronizableOnly : .localOnly
        let query = ItemQuery(
            itemClass: selector.className.itemClass, attributes: selector.identity, accessGroup: selector.group,
            synchronizable: local)
        let twins = try failing(about: selector.words) { () throws(KeychainError) in try find(query, in: keychain) }
        guard twins.count <= 1 else { throw ambiguous(selector, twins) }
        return twins.first?.reference
    }

    private func replace(
        _ reference: PersistentReference, _ value: borrowing SecretBytes, _ selector: ItemSelector,
        _ control: AccessControl?, _ keychain: any OpenKeychain
    ) throws(KeychainError) {
        var changes: AttributeSet = [:]
        if let label = invocation[.label] { changes[.label] = .text(label) }
        let query = ItemQuery(itemClass: reference.itemClass, synchronizable: .any, persistentReference: reference)
        try asking(keychain) { (credentials) throws(KeychainError) in
            var request = UpdateRequest(
                query, changes: changes, accessibility: selector.accessibility, accessControl: control,
                value: try Self.copy(value))
            request.credentials = credentials
            try keychain.service.update(request)
        }
    }

    private static func copy(_ value: borrowing SecretBytes) throws(KeychainError) -> SecretBytes {
        do throws(SecretMemoryError) { return try value.copy() } catch { throw KeychainError(error, .add) }
    }

    private func announce(_ action: String, _ selector: ItemSelector) throws(Failure) {
        if wantsJSON {
            try console.write(
                JSON.object([
                    ("action", .string(action)), ("class", .string(selector.className.word)),
                    ("name", .string(selector.name ?? "")), ("account", .string(selector.account ?? "")),
                ]).text + "\n")
        } else if console.errorIsTerminal {
            console.talk("\(action) \(selector.words)")
        }
    }
}
