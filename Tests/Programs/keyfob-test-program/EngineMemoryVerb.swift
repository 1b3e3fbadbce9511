// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel

/// Works with secrets on the engine, lets go of them, and waits at each step so that the test can look into its memory.
enum EngineMemoryVerb {
    /// What the test sends, in its order.
    ///
    /// The engine's own types carry each from the pipe on.
    private struct Secrets: ~Copyable {
        let pin: SecretBytes
        let service: WipedBytes
        let account: WipedBytes
        let label: WipedBytes
        let value: SecretBytes
        let newValue: SecretBytes

        static func read() throws -> Secrets {
            let pin = try Answer.secret()
            let (service, account, label) = (try name(), try name(), try name())
            let value = try Answer.secret()
            return Secrets(
                pin: pin, service: service, account: account, label: label, value: value,
                newValue: try Answer.secret())
        }

        private static func name() throws -> WipedBytes {
            let secret = try Answer.secret()
            return secret.withBytes { WipedBytes(copying: $0) }
        }
    }

    static func run() throws {
        let engine = try KeychainEngine.open(try KeychainHome.resolve())
        try work(engine)
        Answer.pause("released")
        try engine.lock()
        Answer.pause("locked")
        engine.close()
        Answer.pause("closed")
    }

    private static func work(_ engine: KeychainEngine) throws {
        let secrets = try Secrets.read()
        Answer.pause("held")
        try engine.unlock(secrets.pin)
        for accessible in [.whenUnlocked, .afterFirstUnlock, .always] as [Accessibility] {
            try work(engine, secrets, accessible)
        }
        try engine.lock()
        try engine.unlock(secrets.pin)
    }

    private static func work(
        _ engine: KeychainEngine, _ secrets: borrowing Secrets, _ accessible: Accessibility
    ) throws {
        let service = engine.service(with: Entitlements(applicationIdentifier: "test"))
        let own: AttributeSet = [
            .service: .text(secrets.service), .account: .data(secrets.account), .label: .text(secrets.label),
        ]
        _ = try service.add(
            AddRequest(
                itemClass: .genericPassword, attributes: own, accessibility: accessible,
                value: try secrets.value.copy(), returns: [.attributes, .data, .persistentReference]))
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(secrets.service)])
        _ = try service.copyMatching(MatchRequest(query, limit: .all, returns: [.attributes, .data]))
        _ = try service.copyMatching(MatchRequest(query, returns: .attributes))
        _ = try service.copyMatching(MatchRequest(query, returns: .data))
        do throws(KeychainError) {
            _ = try service.add(AddRequest(itemClass: .genericPassword, attributes: own, value: nil))
        } catch {
            guard error.code == .duplicateItem else { throw error }
        }
        try service.update(UpdateRequest(query, changes: [.comment: .text(secrets.label)]))
        try service.update(UpdateRequest(query, value: try secrets.newValue.copy()))
        _ = try service.copyMatching(MatchRequest(query, returns: [.attributes, .data]))
        _ = try engine.verify()
        // The last class stays, so that the files hold an item while they are searched.
        if accessible != .always { try service.delete(DeleteRequest(query)) }
    }
}
