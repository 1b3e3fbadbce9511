// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import LocalAuthentication
internal import Security
internal import Testing

/// Items whose access control asks for somebody: sections 5, 6.8, 7, 8 and 11 of the reference.
@Suite(.lendsTokens) struct ConstrainedItemTests {
    @Test(arguments: Mode.allCases, rows)
    func `Every row about items that need a person holds`(mode: Mode, row: Row) throws {
        try PersonAtTheTerminal.$scoped.withValue(Nobody()) {
            try row.run(mode, on: mode.keptKeychain("presence", presence: true) { _ in })
        }
    }

    private static let rows: [Row] = [
        Row("11 constraints guard reading, and adding is free", gives: errSecSuccess) { addGuarded() },
        Row("6.8 a read with the PIN in a context gives the value") {
            addGuarded()
            #expect(value(genp([kSecUseAuthenticationContext: context()])) == "bob")
        },
        Row("6.8 without return keys it is needed too") {
            addGuarded()
            #expect(find(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == errSecInteractionNotAllowed)
            #expect(find(genp([kSecUseAuthenticationContext: context()])) == errSecSuccess)
        },
        Row("6.8 attributes alone and references alone need it too") {
            addGuarded()
            for key in [kSecReturnAttributes, kSecReturnPersistentRef, kSecReturnData] {
                let query = genp([kSecUseNoAuthenticationUI: true, key: true])
                #expect(copying(query).status == errSecInteractionNotAllowed)
                #expect(copying(genp([key: true, kSecUseAuthenticationContext: context()])).status == errSecSuccess)
            }
        },
        Row("6.8 a context that forbids interaction fails without a credential and not with one") {
            addGuarded()
            let quiet = LAContext()
            quiet.interactionNotAllowed = true
            #expect(find(genp([kSecUseAuthenticationContext: quiet])) == errSecInteractionNotAllowed)
            let given = context()
            given.interactionNotAllowed = true
            #expect(find(genp([kSecUseAuthenticationContext: given])) == errSecSuccess)
        },
        Row("6.8 skip omits it, and finds the others") {
            addGuarded()
            add(password("eve"))
            let skip = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
            #expect(accounts(skip) == ["eve"])
            delete(genp([kSecAttrAccount: "eve"]))
            #expect(find(skip) == errSecItemNotFound)
        },
        Row("6.8 skip with limit one finds the first that needs nobody") {
            addGuarded()
            add(password("eve"))
            let skip = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
            #expect(value(skip) == "eve")
        },
        Row("6.8 where nobody can be asked it fails", gives: errSecInteractionNotAllowed) {
            addGuarded()
            return find(genp())
        },
        Row("6.8 a wrong PIN is errSecAuthFailed", gives: errSecAuthFailed) {
            addGuarded()
            return find(genp([kSecUseAuthenticationContext: context(wrong: true)]))
        },
        Row("6.8 the person is asked once, with the program's reason") {
            addGuarded()
            let person = Somebody(pin())
            PersonAtTheTerminal.$scoped.withValue(person) {
                #expect(value(genp([kSecUseOperationPrompt: "to pay"])) == "bob")
            }
            #expect(person.reasons == ["to pay"])
        },
        Row("6.8 a wrong entry is not asked for again") {
            addGuarded()
            let person = Somebody(pin(wrong: true))
            PersonAtTheTerminal.$scoped.withValue(person) { #expect(find(genp()) == errSecAuthFailed) }
            #expect(person.reasons.count == 1)
        },
        Row("6.8 who will not is errSecUserCanceled") {
            addGuarded()
            PersonAtTheTerminal.$scoped.withValue(Somebody(nil)) { #expect(find(genp()) == errSecUserCanceled) }
        },
        Row("6.8 nobody is asked where it is forbidden, nor for ordinary items") {
            addGuarded()
            let person = Somebody(pin())
            PersonAtTheTerminal.$scoped.withValue(person) {
                #expect(
                    find(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == errSecInteractionNotAllowed)
                add(password("eve"))
                #expect(find(genp([kSecAttrAccount: "eve"])) == errSecSuccess)
            }
            #expect(person.reasons.isEmpty)
        },
        Row("5 adding the same key again examines the old item first") {
            addGuarded()
            let again = password("bob", [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
            #expect(add(again) == errSecInteractionNotAllowed)
            #expect(add(password("bob", [kSecUseAuthenticationContext: context()])) == errSecDuplicateItem)
        },
        Row("7 an update needs it, and all or nothing is changed") {
            addGuarded()
            add(password("eve"))
            let all = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
            #expect(update(all, [kSecAttrComment: "x"]) == errSecInteractionNotAllowed)
            #expect(attributes(genp([kSecAttrAccount: "eve"]))["icmt"] == nil)
            #expect(update(genp([kSecUseAuthenticationContext: context()]), [kSecAttrComment: "x"]) == errSecSuccess)
            #expect(attributes(genp([kSecAttrAccount: "eve"]))["icmt"] as? String == "x")
        },
        Row("11 a plain pdmn takes the constraint away, and the update itself needs the PIN") {
            addGuarded()
            let change: Query = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
            let quiet = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
            #expect(update(quiet, change) == errSecInteractionNotAllowed)
            #expect(update(genp([kSecUseAuthenticationContext: context()]), change) == errSecSuccess)
            #expect(value(quiet) == "bob")
        },
        Row("11 an access control of flags 0 takes it away too") {
            addGuarded()
            let change: Query = [kSecAttrAccessControl: rules() as Any]
            #expect(update(genp([kSecUseAuthenticationContext: context()]), change) == errSecSuccess)
            #expect(value(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == "bob")
        },
        Row("8 deleting needs nobody") {
            addGuarded()
            #expect(delete(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("11 the object comes back equal") {
            addGuarded(.devicePasscode)
            let found = attributes(genp([kSecUseAuthenticationContext: context()]))
            #expect(found["accc"] as? SecAccessControl == rules(kSecAttrAccessibleWhenUnlocked, .devicePasscode))
            #expect(found["pdmn"] as? String == "ak")
        },
        Row("11 biometry or the passcode is honoured by the PIN") {
            #expect(addGuarded([.biometryAny, .or, .devicePasscode]) == errSecSuccess)
            #expect(find(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == errSecInteractionNotAllowed)
            #expect(value(genp([kSecUseAuthenticationContext: context()])) == "bob")
        },
        Row("11 what the token cannot ask for is refused") {
            for flags in [
                SecAccessControlCreateFlags.biometryAny, .biometryCurrentSet, .companion, .privateKeyUsage,
                [.biometryAny, .devicePasscode], [.userPresence, .privateKeyUsage],
            ] {
                #expect(addGuarded(flags) == errSecUnimplemented)
            }
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("11 an application password is needed to add and to read") {
            #expect(addGuarded(.applicationPassword) == errSecInteractionNotAllowed)
            #expect(addGuarded(.applicationPassword, context(password: "sesame")) == errSecSuccess)
            #expect(find(genp()) == errSecInteractionNotAllowed)
            #expect(value(genp([kSecUseAuthenticationContext: context(password: "sesame")])) == "bob")
            let wrong = genp([kSecUseAuthenticationContext: context(password: "barley")])
            #expect(find(wrong) == errSecAuthFailed)
        },
        Row("11 with presence both are needed") {
            #expect(addGuarded([.userPresence, .applicationPassword], context(password: "sesame")) == errSecSuccess)
            let password = context(password: "sesame")
            #expect(find(genp([kSecUseAuthenticationContext: password])) == errSecInteractionNotAllowed)
            password.setCredential(pin(), type: .smartCardPIN)
            #expect(value(genp([kSecUseAuthenticationContext: password])) == "bob")
        },
        Row("11 a synchronizable item cannot be guarded", gives: errSecParam) {
            addGuarded(more: [kSecAttrSynchronizable: true])
        },
    ]
}

/// Adds an item of the account bob with constraints.
@discardableResult
private func addGuarded(
    _ flags: SecAccessControlCreateFlags = .userPresence, _ context: LAContext? = nil, more: Query = [:]
) -> OSStatus {
    var item = password("bob", [kSecAttrAccessControl: rules(kSecAttrAccessibleWhenUnlocked, flags) as Any])
    if let context { item[kSecUseAuthenticationContext] = context }
    return add(item.merging(more) { _, new in new })
}

private func pin(wrong: Bool = false) -> Data {
    do {
        guard let sandbox = Sandbox.current else { throw NoSandbox() }
        return try sandbox.keychain.pin(wrong: wrong)
    } catch {
        Issue.record(error)
        return Data()
    }
}

/// A context with the token's PIN, or with a password.
private func context(wrong: Bool = false, password: String? = nil) -> LAContext {
    let context = LAContext()
    if let password {
        context.setCredential(bytes(password), type: .applicationPassword)
    } else {
        context.setCredential(pin(wrong: wrong), type: .smartCardPIN)
    }
    return context
}
