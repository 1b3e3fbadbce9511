// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob group list` and `keyfob group move OLD NEW`.
    func group() throws(Failure) {
        let operands = invocation.operands
        switch (operands.first, operands.count) {
        case ("list", 1):
            try withKeychain { (keychain) throws(Failure) in try listGroups(keychain) }
        case ("move", 3):
            try withKeychain { (keychain) throws(Failure) in
                try moveGroup(AccessGroup(operands[1]), to: AccessGroup(operands[2]), keychain)
            }
        default:
            throw Failure(
                .usage, "keyfob group takes list, or move OLD NEW", hint: "keyfob group --help shows examples")
        }
    }

    private func listGroups(_ keychain: any OpenKeychain) throws(Failure) {
        let groups = try failing { () throws(KeychainError) in try keychain.accessGroups() }
        guard !wantsJSON else {
            let json = JSON.array(
                groups.map { .object([("group", .string($0.group.name)), ("items", .number(Int64($0.items)))]) })
            try console.write(json.text + "\n")
            return
        }
        guard !groups.isEmpty else { return }
        var table = TextTable(["GROUP", "ITEMS"])
        for group in groups { table.append([group.group.name, String(group.items)]) }
        try console.write(table.text)
    }

    private func moveGroup(_ old: AccessGroup, to new: AccessGroup, _ keychain: any OpenKeychain) throws(Failure) {
        let moved: Int
        do throws(KeychainError) {
            moved = try unlocking(keychain) { () throws(KeychainError) in try keychain.moveAccessGroup(old, to: new) }
        } catch {
            let failure = Failure(error, about: "access group \(Printable.quoted(old.name))")
            guard [.presenceRequired, .applicationPasswordRequired].contains(error.code) else { throw failure }
            // Here it is of no use to give the PIN.
            throw Failure(
                failure.status, failure.what,
                hint: "such an item does not move: remove it, and set it in the other group")
        }
        if wantsJSON {
            try console.write(JSON.object([("moved", .number(Int64(moved)))]).text + "\n")
        } else if console.errorIsTerminal {
            console.talk("items moved to \(Printable.quoted(new.name)): \(moved)")
        }
    }
}
