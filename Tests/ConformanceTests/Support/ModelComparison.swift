// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security

/// One sequence of calls, made on the model and on the keychain under test.
///
/// What may differ is replaced before the answers are compared: dates and digests by their presence, references of the
/// keychain by those of the model, which must pair up one to one.
struct ModelComparison {
    private let model: ModelService
    private let keychain: any KeychainUnderTest
    private let program: Program
    private var calls: RandomCalls
    private var modelReferences: [Data: Data] = [:]
    private var keychainReferences: [Data: Data] = [:]

    init(_ random: SeededRandom, on keychain: any KeychainUnderTest) {
        let groups = ["model.one", "model.two"]
        model = ModelService(groups: groups)
        program = Program(accessGroups: groups)
        self.keychain = keychain
        calls = RandomCalls(random, groups: groups, foreignGroup: "model.foreign")
    }

    /// Makes the next call on both; the call and the two answers as text if they differ.
    mutating func step() throws -> (status: OSStatus, difference: String?) {
        let call = calls.next()
        switch call {
        case .lock:
            model.locked = [.whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly]
            try keychain.lock()
            return (errSecSuccess, nil)
        case .unlock:
            model.locked = []
            try keychain.unlock()
            return (errSecSuccess, nil)
        default: break
        }
        let expected = ServiceSelection.$scoped.withValue(model) { Self.make(call) }
        let found = try keychain.use(program) { Self.make(translated(call)) }
        let left = comparable(expected, isModel: true)
        learn(expected, found)
        let right = comparable(found, isModel: false)
        guard left != right else { return (expected.status, nil) }
        return (expected.status, "\(Self.text(call))\n  model:    \(left)\n  keychain: \(right)")
    }

    /// Every item of both, by every class, as a copy of everything shows them; a text if they differ.
    mutating func compareAll() throws -> String? {
        model.locked = []
        try keychain.unlock()
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            let query: Query = [
                kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
                kSecReturnAttributes: true, kSecReturnPersistentRef: true,
                kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            let expected = ServiceSelection.$scoped.withValue(model) { copying(query) }
            let found = try keychain.use(program) { copying(query) }
            learn(expected, found)
            let (left, right) = (comparable(expected, isModel: true), comparable(found, isModel: false))
            if left != right { return "all items\n  model:    \(left)\n  keychain: \(right)" }
        }
        return nil
    }

    // MARK: - Calls

    private static func make(_ call: RandomCalls.Call) -> Answer {
        switch call {
        case .add(let item): adding(item)
        case .copy(let query): copying(query)
        case .update(let query, let changes): Answer(status: update(query, changes), object: nil)
        case .delete(let query): Answer(status: delete(query), object: nil)
        case .lock, .unlock: Answer(status: errSecSuccess, object: nil)
        }
    }

    /// The call with the keychain's reference in place of the model's.
    private func translated(_ call: RandomCalls.Call) -> RandomCalls.Call {
        func translate(_ query: Query) -> Query {
            guard let reference = query[kSecValuePersistentRef] as? Data else { return query }
            return query.merging([kSecValuePersistentRef: modelReferences[reference] ?? Data()]) { _, new in new }
        }
        return switch call {
        case .copy(let query): .copy(translate(query))
        case .update(let query, let changes): .update(translate(query), changes)
        case .delete(let query): .delete(translate(query))
        default: call
        }
    }

    // MARK: - References

    /// Pairs the references that two answers hold at the same places.
    private mutating func learn(_ expected: Answer, _ found: Answer) {
        for (model, keychain) in zip(Self.references(expected), Self.references(found)) {
            guard modelReferences[model] == nil, keychainReferences[keychain] == nil else { continue }
            modelReferences[model] = keychain
            keychainReferences[keychain] = model
            calls.references.append(model)
        }
    }

    private static func references(_ answer: Answer) -> [Data] {
        let elements = answer.array ?? [answer.object as Any]
        return elements.compactMap { element in
            let found = (element as? [String: Any])?["v_PersistentRef"] ?? element
            guard let data = found as? Data, isReference(data) else { return nil }
            return data
        }
    }

    private static func isReference(_ data: Data) -> Bool {
        data.count == 20 && [bytes("genp"), bytes("inet")].contains(data.prefix(4))
    }

    // MARK: - Comparing

    /// What must be equal in both answers, as text.
    private func comparable(_ answer: Answer, isModel: Bool) -> String {
        "\(answer.status) \(comparable(answer.object as Any, isModel: isModel))"
    }

    private func comparable(_ value: Any, isModel: Bool) -> String {
        switch value {
        case let dictionary as [String: Any]:
            let members = dictionary.sorted { $0.key < $1.key }.map { key, value in
                ["cdat", "mdat", "sha1"].contains(key)
                    ? "\(key): \(type(of: value))" : "\(key): \(comparable(value, isModel: isModel))"
            }
            return "{\(members.joined(separator: ", "))}"
        case let array as [Any]:
            return "[\(array.map { comparable($0, isModel: isModel) }.joined(separator: ", "))]"
        case let data as Data where Self.isReference(data):
            let known = isModel ? data : keychainReferences[data] ?? Data()
            return "reference \(known.base64EncodedString())"
        case let data as Data:
            return "data \(data.count) \(data.prefix(8).base64EncodedString())"
        case let control as SecAccessControl:
            return "access control \(control.value)"
        case let text as String:
            return "“\(text)”"
        case let number as NSNumber:
            return "number \(number)"
        default:
            return "\(value)"
        }
    }

    private static func text(_ call: RandomCalls.Call) -> String {
        func text(_ query: Query) -> String {
            let members = query.map { "\($0.key): \($0.value)" }.sorted()
            return "[\(members.joined(separator: ", "))]"
        }
        return switch call {
        case .add(let item): "add \(text(item))"
        case .copy(let query): "copy \(text(query))"
        case .update(let query, let changes): "update \(text(query)) to \(text(changes))"
        case .delete(let query): "delete \(text(query))"
        case .lock: "lock"
        case .unlock: "unlock"
        }
    }
}
