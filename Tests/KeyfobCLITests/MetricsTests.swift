// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobClient
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobTestSupport
import KeyfobWords
internal import Synchronization
internal import Testing

@Suite(.lendsTokens) struct MetricsTests {
    private let fake = FakeAccess()

    @Test func `What the daemon says is printed as it is`() {
        fake.keychain.state.withLock { $0.metrics = "# TYPE a gauge\na 1\n# EOF\n" }
        let run = Transcript(["metrics"], on: fake)
        #expect(run.text == "# TYPE a gauge\na 1\n# EOF\n")
        #expect(run.status == .success)
    }

    @Test func `Without a daemon there is nothing to print, and the hint says how to start one`() {
        let run = Transcript(["metrics"], on: fake)
        #expect(run.output == [])
        #expect(run.lines.first == "keyfob: error: only a daemon measures, and none has this keychain open")
        #expect(run.lines.last == "keyfob: hint: start it: keyfobd --user, or systemctl start keyfobd")
        #expect(run.status == .noDaemon)
    }

    @Test func `A file is replaced whole, everybody may read it, and nothing else stays behind`() throws {
        fake.keychain.state.withLock { $0.metrics = "new\n" }
        let folder = try Folder()
        let file = folder.path + "/keyfob.prom"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("an older and longer text".utf8)))
        let mask = umask(0o077)
        defer { umask(mask) }
        let run = Transcript(["metrics", "--out", file], on: fake)
        #expect(run.error == "")
        #expect(run.output == [])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "new\n")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o644)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keyfob.prom"])
    }

    @Test func `A file that cannot take the name leaves nothing behind`() throws {
        fake.keychain.state.withLock { $0.metrics = "new\n" }
        let folder = try Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/keyfob.prom", withIntermediateDirectories: false)
        let run = Transcript(["metrics", "--out", folder.path + "/keyfob.prom"], on: fake)
        #expect(run.error.contains("keyfob.prom: rename: EISDIR"))
        #expect(run.status == .inputOutput)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keyfob.prom"])
    }

    @Test func `A folder that is not there is named`() {
        fake.keychain.state.withLock { $0.metrics = "new\n" }
        let run = Transcript(["metrics", "--out", "/nowhere/keyfob.prom"], on: fake)
        #expect(run.error.contains("/nowhere/keyfob.prom: open: ENOENT (2)"))
    }

    @Test func `A real daemon's text is OpenMetrics and names no item`() throws {
        let keychain = try TestKeychain().unlocked()
        let daemon = try TestDaemon(
            keychain.engine, entitlements: Entitlements(applicationIdentifier: "sentinel-group"))
        let client = daemon.client()
        let query = ItemQuery(
            itemClass: .genericPassword,
            attributes: [.service: .text("sentinel-service"), .account: .text("sentinel-account")])
        _ = try client.add(
            AddRequest(
                itemClass: .genericPassword, attributes: query.attributes, value: SecretBytes(copying: [1, 2, 3])))
        _ = try client.copyMatching(MatchRequest(query, returns: [.data]))
        try client.delete(DeleteRequest(query))
        #expect(throws: KeychainError.self) { try client.delete(DeleteRequest(query)) }

        let program = try SpawnedProgram("keyfob", environment: ["KEYFOB_SOCKET": daemon.socket, "TERM": "dumb"])
        let run = try program.run(["metrics"])
        #expect(run.errorText == "")
        let read = try OpenMetricsReader(run.outputText)
        let requests = try #require(read.families["keyfob_requests"])
        #expect(requests.type == "counter")
        func count(_ operation: String, _ result: String) -> Double? {
            requests.samples.first { $0.labels == ["operation": operation, "result": result] }?.value
        }
        #expect(count("delete", "success") == 1)
        #expect(count("delete", "itemNotFound") == 1)
        #expect(read.families["keyfob_request_duration_seconds"]?.unit == "seconds")
        #expect(read.families["keyfob_token_call_duration_seconds"]?.samples.isEmpty == false)
        #expect(read.families["keyfob_unlocked"]?.samples.map(\.value) == [1])
        #expect(!run.outputText.contains("sentinel"))
    }

    @Test(arguments: [
        "a 1\n# EOF\n", "# TYPE a gauge\na 1\n", "# TYPE a counter\na 1\n# EOF\n", "# TYPE a gauge\na{b=c} 1\n# EOF\n",
        "# TYPE a gauge\na 1\na 2\n# EOF\n", "# TYPE a gauge\na 1\n# HELP a late\n# EOF\n",
        "# TYPE a info\na_info 1\n# EOF\n", "# TYPE a gauge\n# UNIT a seconds\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"1.0\"} 3\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 2\n# EOF\n",
    ])
    func `The reader refuses what is no such text`(text: String) {
        #expect(throws: OpenMetricsReader.Fault.self) { try OpenMetricsReader(text) }
    }
}

/// A folder of one test alone.
private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/keyfob-metrics-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: path)
    }
}
