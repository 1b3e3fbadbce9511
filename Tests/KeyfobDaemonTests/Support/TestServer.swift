// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobDaemon
import KeyfobModel
import KeyfobPlatform

/// A server at a socket of its own, which ends with the test.
final class TestServer: Sendable {
    let folder: String
    let path: String
    let handler: EchoHandler
    let server: Server

    /// - Parameter change: Changes the settings.
    init(
        mode: UInt32 = 0o600, handler: EchoHandler = EchoHandler(), _ change: (inout ServerSettings) -> Void = { _ in }
    ) throws {
        var template = Array("/tmp/keyfob-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw PosixError.last("mkdtemp") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if mode & 0o007 != 0 { unsafe chmod(folder, 0o755) }
        path = folder + "/keyfobd.sock"
        self.handler = handler
        var settings = ServerSettings()
        settings.workers = 4
        change(&settings)
        server = try Server(handler, settings)
        server.listen(on: try ListeningSocket.listen(path, mode: mode))
        try server.start()
    }

    deinit {
        server.stop(grace: .zero)
        // What is left there shows in the test that looks for it.
        try? FileManager.default.removeItem(atPath: folder)
    }

    func client() throws -> TestClient { try TestClient(path) }

    var counts: ServerCounts { server.counts }
}

/// Ends the process if something does not hold: for tests in a process of their own, where `precondition` takes nothing
/// that may throw.
func demand(_ condition: Bool, _ message: String = "", line: UInt = #line) {
    precondition(condition, "line \(line): \(message)")
}
