// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobPKCS11
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// One class in one state, by one call, with or without the person.
struct PresenceCell: Sendable, CustomTestStringConvertible {
    enum Call: String, CaseIterable, Sendable {
        case copyValue, copyAttributes, copyReference, update, updateValue, delete, add
    }

    enum Manner: String, CaseIterable, Sendable {
        case withPIN = "with the PIN"
        case withoutPIN = "where nobody can be asked"
        case fail = "asking fails"
        case skip = "asking skips"
    }

    let state: KeychainState
    let code: String
    let call: Call
    let manner: Manner

    var testDescription: String { "10 \(state.rawValue), \(code), \(call), \(manner.rawValue): \(expected)" }

    var verdict: PresenceVerdict {
        let line = PresenceTable.lines.first { $0.state == state }
        guard let verdict = line?.verdicts[code] else { fatalError("the table has no cell for \(state), \(code)") }
        return verdict
    }

    var expected: OSStatus { verdict.status(call, manner) }

    /// Skipping says nothing to an add.
    static let all = PresenceTable.lines.flatMap { line in
        PresenceTable.codes.flatMap { code in
            Call.allCases.flatMap { call in
                Manner.allCases.filter { call != .add || $0 != .skip }
                    .map { PresenceCell(state: line.state, code: code, call: call, manner: $0) }
            }
        }
    }

    /// Which item it is, as a query.
    private var item: Query { genp([kSecAttrAccount: "\(call) \(manner)", kSecAttrService: code]) }

    /// The item as it is added.
    func attributes(_ value: Data) -> Query {
        item.merging([kSecAttrAccessControl: rules(code as CFString, .userPresence) as Any, kSecValueData: value]) {
            $1
        }
    }

    /// Makes the call, and counts what reaches the token of the PIN.
    func check(_ mode: Mode) throws {
        let prepared = try PreparedPresence.of(state, mode)
        let module = prepared.mock.module
        let person = Somebody(nil)
        try prepared.keychain.use(PreparedPresence.program) {
            let logins = module.calls(of: .login)
            if manner == .withoutPIN {
                try PersonAtTheTerminal.$scoped.withValue(Nobody()) { try make(prepared) }
            } else {
                try PersonAtTheTerminal.$scoped.withValue(person) { try make(prepared) }
            }
            let isRead = call != .delete && call != .add
            let reaches = verdict == .asks && manner == .withPIN && isRead
            #expect(module.calls(of: .login) == logins + (reaches ? 1 : 0), "PINs that reached the token")
        }
        // Whose PIN is there, or must not be asked for, is not asked.
        #expect(person.reasons.isEmpty)
    }

    private func make(_ prepared: PreparedPresence) throws {
        var query = item
        switch manner {
        case .withPIN: query[kSecUseAuthenticationContext] = try prepared.context()
        case .withoutPIN: break
        case .fail: query[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
        case .skip: query[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
        }
        switch call {
        case .copyValue:
            let answer = copying(query.merging([kSecReturnData: true]) { $1 })
            #expect(answer.status == expected)
            #expect(answer.data == (expected == errSecSuccess ? bytes("old") : nil))
        case .copyAttributes:
            let answer = copying(query.merging([kSecReturnAttributes: true]) { $1 })
            #expect(answer.status == expected)
            #expect(answer.dictionary?["pdmn"] as? String == (expected == errSecSuccess ? code : nil))
        case .copyReference:
            let answer = copying(query.merging([kSecReturnPersistentRef: true]) { $1 })
            #expect(answer.status == expected)
            #expect((answer.data != nil) == (expected == errSecSuccess))
        case .update: #expect(update(query, [kSecAttrLabel: "changed"]) == expected)
        case .updateValue: #expect(update(query, [kSecValueData: bytes("changed")]) == expected)
        case .delete: #expect(delete(query) == expected)
        case .add:
            var new = attributes(bytes("new")).merging(query) { $1 }
            new[kSecAttrAccount] = "new \(manner)"
            #expect(add(new) == expected)
        }
    }
}
