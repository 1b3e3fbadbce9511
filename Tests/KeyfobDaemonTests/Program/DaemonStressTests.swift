// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobDaemon
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// A whole daemon in this process, with all that can happen to one at the same time: what a sanitizer looks at.
@Suite(.lendsTokens) struct DaemonStressTests {
    /// What the programs were told.
    private struct Ledger: Sendable {
        /// The accounts whose items were acknowledged and not deleted since.
        var kept: Set<String> = []
        var refused: Set<KeychainError.Code> = []
    }

    /// What may be answered while others lock, take the group away and stop the daemon.
    private static let expected: Set<KeychainError.Code> = [
        .interactionNotAllowed, .missingEntitlement, .itemNotFound, .notAvailable, .daemonNotAnswering, .busy,
    ]

    private func query(_ account: String) -> ItemQuery {
        ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("stress"), .account: .text(account)])
    }

    private func attempt(_ ledger: Shared<Ledger>, _ body: () throws(KeychainError) -> Void) {
        do throws(KeychainError) { try body() } catch {
            ledger.change { [code = error.code] in $0.refused.insert(code) }
        }
    }

    /// A program that adds, reads, changes and deletes items of its own until it is told to end.
    private func write(_ number: Int, _ client: DaemonClient, _ ledger: Shared<Ledger>, until isOver: Shared<Bool>) {
        var round = 0
        while !isOver.now {
            let account = "\(number)/\(round)"
            attempt(ledger) { () throws(KeychainError) in
                _ = try client.add(
                    AddRequest(
                        itemClass: .genericPassword,
                        attributes: [.service: .text("stress"), .account: .text(account)],
                        accessibility: .whenUnlocked, value: secret(account), returns: []))
                ledger.change { $0.kept.insert(account) }
            }
            attempt(ledger) { () throws(KeychainError) in
                _ = try client.copyMatching(MatchRequest(query(account), returns: .data))
                try client.update(UpdateRequest(query(account), changes: [.label: .text(account)]))
            }
            if round % 4 == 3 {
                // Whether it is gone after an error nobody knows.
                ledger.change { $0.kept.remove(account) }
                attempt(ledger) { () throws(KeychainError) in try client.delete(DeleteRequest(query(account))) }
            }
            round += 1
        }
    }

    private func secret(_ text: String) -> SecretBytes {
        do { return try SecretBytes(copying: Array(text.utf8)) } catch { fatalError("no memory: \(error)") }
    }

    /// An owner that unlocks whenever somebody has locked, and asks for everything that one can ask for.
    private func administer(
        _ client: DaemonClient, _ pin: borrowing SecretBytes, _ ledger: Shared<Ledger>, until isOver: Shared<Bool>
    ) {
        while !isOver.now {
            attempt(ledger) { () throws(KeychainError) in try client.unlock(pin, finalTry: false) }
            attempt(ledger) { () throws(KeychainError) in
                _ = try (client.status(), client.daemonStatus(), client.metrics(), client.accessGroups())
                _ = try client.verify { _, _ in }
            }
        }
    }

    /// Clients that come, send a part of a frame or nonsense, and go.
    private func disturb(_ socket: String, _ number: Int, until isOver: Shared<Bool>) {
        var random = SeededRandom(seed: UInt64(number))
        while !isOver.now {
            // The daemon may have stopped, and that is what the others see too.
            guard let client = try? TestClient(socket) else { continue }
            client.send((0..<Int.random(in: 0..<64, using: &random)).map { _ in .random(in: 0...2, using: &random) })
        }
    }

    private func allow(_ groups: String, in home: KeychainHome) throws {
        let path = home.ownPolicies + "/stress.json"
        let policy = """
            { "match": {"user": "\(geteuid())"}, "application-identifier": "test", "keychain-access-groups": [\(groups)] }
            """
        try Data(policy.utf8).write(to: URL(filePath: path), options: .atomic)
        unsafe chmod(path, 0o600)
    }

    @Test func `Programs write, policies change and keychains lock while it stops, and nothing acknowledged is lost`()
        throws
    {
        let keychain = try TestKeychain()
        keychain.engine.close()
        try PrivateFolder.create(keychain.home.ownPolicies, .serve)
        try allow("\"stress\"", in: keychain.home)
        var options = DaemonOptions()
        options.home = keychain.home.path
        options.socket = FileManager.default.temporaryDirectory.path + "/keyfob-\(UUID().uuidString).sock"
        let settings = try DaemonSettings(options, currentFolder: nil)
        let (socket, token) = (settings.socket, keychain.token)
        let daemon = KeychainDaemon(settings, [])
        try daemon.start()
        let owner = DaemonClient(sockets: [socket])
        try owner.unlock(token.pin(), finalTry: false)

        let (ledger, isOver) = (Shared(Ledger()), Shared(false))
        var threads = (0..<8).map { number in
            // Two programs each have a client, and with it its connections, in common.
            let client = number % 2 == 0 ? owner : DaemonClient(sockets: [socket])
            return Background { write(number, client, ledger, until: isOver) }
        }
        threads += (0..<2).map { _ in
            Background { administer(DaemonClient(sockets: [socket]), try token.pin(), ledger, until: isOver) }
        }
        threads += (0..<2).map { number in Background { disturb(socket, number, until: isOver) } }
        var turns = 0
        let isBusy = try eventually {
            try allow(turns % 2 == 0 ? "" : "\"stress\"", in: keychain.home)
            try daemon.reload()
            if turns % 8 == 0 { try daemon.lock(.explicit) }
            #expect(daemon.isHealthy)
            #expect(!daemon.statusLine.isEmpty)
            turns += 1
            return turns >= 40 && ledger.now.kept.count >= 40
        }
        #expect(isBusy)
        daemon.stop(grace: .seconds(60))
        isOver.change { $0 = true }
        for thread in threads { try thread.value() }

        #expect(ledger.now.refused.subtracting(Self.expected) == [])
        try keychain.reopen()
        try keychain.unlocked()
        let service = keychain.service(groups: ["stress"])
        for account in ledger.now.kept.sorted() {
            let found = try service.copyMatching(MatchRequest(query(account), returns: .data))
            #expect(found.withValue(of: found.items[0]) { $0?.array } == Array(account.utf8))
        }
        #expect(try keychain.engine.verify().findings == [])
    }
}
