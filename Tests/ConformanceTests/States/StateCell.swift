// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobPKCS11
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// One class in one state, by one call.
struct StateCell: Sendable, CustomTestStringConvertible {
    enum Call: String, CaseIterable, Sendable {
        case copyValue, copyAttributes, copyReference, copyByReference, exists, add, addDuplicate
        case updateValue, updateAttribute, updateNothing, delete, deleteByReference

        /// Whether it needs the digests of an item and no key.
        var isDelete: Bool { self == .delete || self == .deleteByReference }
    }

    let state: KeychainState
    let code: String
    let call: Call

    var testDescription: String { "10 \(state.rawValue), \(code), \(call): \(expected)" }

    /// The status that the table gives.
    var expected: OSStatus {
        StateTable.verdict(state, code).status(call)
    }

    static let all = KeychainState.allCases.flatMap { state in
        StateTable.codes.flatMap { code in Call.allCases.map { StateCell(state: state, code: code, call: $0) } }
    }

    /// Makes the call on the item that was prepared for it, and looks at what the token was asked meanwhile.
    func check(_ mode: Mode) throws {
        let prepared = try PreparedState.of(state, mode)
        try prepared.keychain.use(PreparedState.program) {
            let module = prepared.mock.module
            let before = (
                all: prepared.keyCalls(), decrypts: module.calls(of: .decrypt), encrypts: module.calls(of: .encrypt)
            )
            try make(prepared)
            guard StateTable.verdict(state, code).hasKey else {
                // Not even a delete, which succeeds, has to do with a key.
                #expect(prepared.keyCalls() == before.all, "the token was asked to use a key")
                return
            }
            guard expected == errSecSuccess else { return }
            switch call {
            case .copyValue, .copyByReference:
                #expect(module.calls(of: .decrypt) > before.decrypts)
            case .add, .updateValue:
                #expect(module.calls(of: .encrypt) > before.encrypts)
            default: break
            }
        }
    }

    private func make(_ prepared: PreparedState) throws {
        let item = genp([kSecAttrAccount: "\(call)", kSecAttrService: code])
        let own = referred(prepared.reference(code, call))
        switch call {
        case .copyValue:
            let answer = copying(item.merging([kSecReturnData: true]) { _, new in new })
            #expect(answer.status == expected)
            #expect(answer.data == (expected == errSecSuccess ? bytes("\(call)") : nil))
        case .copyAttributes:
            let answer = copying(item.merging([kSecReturnAttributes: true]) { _, new in new })
            #expect(answer.status == expected)
            #expect(answer.dictionary?["pdmn"] as? String == (expected == errSecSuccess ? code : nil))
        case .copyReference:
            let answer = copying(item.merging([kSecReturnPersistentRef: true]) { _, new in new })
            #expect(answer.status == expected)
            #expect(answer.data == (expected == errSecSuccess ? prepared.reference(code, call) : nil))
        case .copyByReference:
            let answer = copying(own.merging([kSecReturnData: true]) { _, new in new })
            #expect(answer.status == expected)
            #expect(answer.data == (expected == errSecSuccess ? bytes("\(call)") : nil))
        case .exists:
            #expect(find(item) == expected)
        case .add:
            let new = genp([kSecAttrAccount: "new", kSecAttrService: code])
            #expect(add(new.merging([kSecAttrAccessible: code, kSecValueData: bytes("new")]) { $1 }) == expected)
            #expect(find(new) == (expected == errSecSuccess ? errSecSuccess : errSecItemNotFound))
        case .addDuplicate:
            #expect(add(item.merging([kSecAttrAccessible: code, kSecValueData: bytes("b")]) { $1 }) == expected)
        case .updateValue:
            #expect(update(item, [kSecValueData: bytes("changed")]) == expected)
            guard expected == errSecSuccess else { break }
            #expect(value(item) == "changed")
        case .updateAttribute:
            #expect(update(item, [kSecAttrLabel: "changed"]) == expected)
            guard expected == errSecSuccess else { break }
            #expect(attributes(item)["labl"] as? String == "changed")
        case .updateNothing:
            #expect(update(item, [:]) == expected)
        case .delete:
            #expect(delete(item) == expected)
            #expect(find(item) == errSecItemNotFound)
        case .deleteByReference:
            #expect(delete(own) == expected)
            #expect(find(item) == errSecItemNotFound)
        }
    }
}
