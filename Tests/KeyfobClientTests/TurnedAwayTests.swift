// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Testing

/// A daemon that turns a connection away says why and closes without reading what was sent.
struct TurnedAwayTests {
    private final class Door: Sendable {
        private let socket: ListeningSocket

        init(_ path: String) throws {
            socket = try ListeningSocket.listen(path)
        }

        func refuseOne() throws {
            var one = pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&one, 1, 30_000) > 0, let connection = try socket.accept() else { return }
            let error = KeychainError(.busy, .connect, remedy: .tryAgain)
            let frame = try WireResponse.failure(error).encoded(requestID: 0)
            try frame.withBytes { (bytes) throws(PosixError) in try connection.send(bytes) }
        }
    }

    @Test func `The reason reaches a client whose request was still on its way`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/keyfob-door-\(UInt64.random(in: 0 ... .max))"
        let door = try Door(path)
        let daemon = Background { try door.refuseOne() }
        // More than the socket takes: sending it fails when the daemon closes.
        let value = try SecretBytes(count: 8 << 20)
        let client = DaemonClient(sockets: [path])
        #expect(throws: KeychainError(.busy, .connect, remedy: .tryAgain)) {
            _ = try client.add(AddRequest(itemClass: .genericPassword, attributes: [:], value: value.copy()))
        }
        _ = try daemon.value()
    }
}
