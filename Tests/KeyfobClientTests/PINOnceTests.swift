// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// A daemon that goes away may have sent the PIN to the token already.
struct PINOnceTests {
    private final class Door: Sendable {
        private let socket: ListeningSocket

        init(_ path: String) throws {
            socket = try ListeningSocket.listen(path)
        }

        func hasVisitor(_ milliseconds: Int32) -> Bool {
            var one = pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&one, 1, milliseconds) > 0
        }

        /// Takes a request and goes away; whether there was one.
        func dropOne() throws -> Bool {
            guard hasVisitor(30_000), let connection = try socket.accept() else { return false }
            var one = pollfd(fd: connection.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&one, 1, 30_000) > 0 else { return false }
            var bytes = [UInt8](repeating: 0, count: 4096)
            return unsafe Glibc.read(connection.descriptor.rawValue, &bytes, bytes.count) > 0
        }
    }

    private static func path() -> String {
        FileManager.default.temporaryDirectory.path + "/keyfob-once-\(UInt64.random(in: 0 ... .max))"
    }

    private static func read(_ path: String, _ credentials: Credentials?) -> KeychainError.Code? {
        var request = MatchRequest(ItemQuery(itemClass: .genericPassword), returns: .data)
        request.credentials = credentials
        do throws(KeychainError) {
            _ = try DaemonClient(sockets: [path]).copyMatching(request)
            return nil
        } catch { return error.code }
    }

    @Test func `A read with a PIN is not sent again`() throws {
        let path = Self.path()
        let door = try Door(path)
        let daemon = Background { try door.dropOne() }
        let pin = Credentials(pin: try SecretBytes(copying: Array("123456".utf8)))
        #expect(Self.read(path, pin) == .daemonNotAnswering)
        #expect(try daemon.value())
        #expect(!door.hasVisitor(0))
    }

    @Test func `A read without one is sent once more`() throws {
        let path = Self.path()
        let door = try Door(path)
        let daemon = Background { try [door.dropOne(), door.dropOne()] }
        #expect(Self.read(path, nil) == .daemonNotAnswering)
        #expect(try daemon.value() == [true, true])
    }
}
