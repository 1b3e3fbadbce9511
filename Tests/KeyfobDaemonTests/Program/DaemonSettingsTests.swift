// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobDaemon
import KeyfobEngine
import KeyfobModel
import KeyfobPlatform
import Testing

struct DaemonSettingsTests {
    private func settings(
        user: UInt32 = 994, environment: [String: String] = [:], _ change: (inout DaemonOptions) -> Void
    ) throws(KeychainError) -> DaemonSettings {
        var options = DaemonOptions()
        change(&options)
        return try DaemonSettings(options, user: user, currentFolder: "/here") { environment[$0] }
    }

    private func code(_ body: () throws(KeychainError) -> DaemonSettings) -> KeychainError.Code? {
        do throws(KeychainError) { _ = try body() } catch { return error.code }
        return nil
    }

    @Test func `The machine's keychain and socket are where the FHS puts them`() throws {
        let settings = try settings { $0.mode = .system }
        #expect(settings.home.path == "/var/lib/keyfob")
        #expect(settings.socket == "/run/keyfob/keyfobd.sock")
        #expect(settings.socketMode == 0o660)
    }

    @Test func `The folders that the unit made win, the first of several`() throws {
        let folders = ["STATE_DIRECTORY": "/s/1:/s/2", "RUNTIME_DIRECTORY": "/r/1:/r/2"]
        let settings = try settings(environment: folders) { $0.mode = .system }
        #expect(settings.home.path == "/s/1")
        #expect(settings.socket == "/r/1/keyfobd.sock")
    }

    @Test func `A daemon of the machine reads the machine's policies wherever its keychain lies`() throws {
        let settings = try settings {
            $0.mode = .system
            $0.home = "/srv/keys"
        }
        #expect(settings.policyFolders == ["/etc/keyfob/access.d", "/srv/keys/access.d"])
    }

    @Test func `A user's daemon reads the policies in its keychain's folder alone`() throws {
        let settings = try settings(environment: ["XDG_RUNTIME_DIR": "/run/user/7"]) { $0.home = "/home/ada/k" }
        #expect(settings.policyFolders == ["/home/ada/k/access.d"])
    }

    @Test func `Options win over everything`() throws {
        let settings = try settings(environment: ["STATE_DIRECTORY": "/s", "RUNTIME_DIRECTORY": "/r"]) {
            $0.mode = .system
            $0.home = "/h"
            $0.socket = "/x.sock"
        }
        #expect(settings.home.path == "/h")
        #expect(settings.socket == "/x.sock")
    }

    @Test func `The system's daemon does not run as root unless it is told to`() throws {
        #expect(code { () throws(KeychainError) in try settings(user: 0) { $0.mode = .system } } == .permissions)
        _ = try settings(user: 0) {
            $0.mode = .system
            $0.allowsRoot = true
        }
    }

    @Test func `A user's socket is in a folder of the runtime directory and is the user's alone`() throws {
        let settings = try settings(environment: ["XDG_RUNTIME_DIR": "/run/user/7"]) { $0.home = "/h" }
        #expect(settings.socket == "/run/user/7/keyfob/keyfobd.sock")
        #expect(settings.socketMode == 0o600)
    }

    @Test func `Without a runtime directory the user has to name the socket`() throws {
        #expect(code { () throws(KeychainError) in try settings { $0.home = "/h" } } == .configurationInvalid)
        _ = try settings {
            $0.home = "/h"
            $0.socket = "/x.sock"
        }
    }

    @Test(arguments: ["terminal:", "pinentry:", "|cat pin"])
    func `A PIN source that asks a person or runs a command is refused`(source: String) {
        let refused = code { () throws(KeychainError) in
            try settings(environment: ["XDG_RUNTIME_DIR": "/run/user/7"]) { $0.pinSource = source }
        }
        #expect(refused == .configurationInvalid)
    }

    @Test func `A relative PIN file counts from the current folder`() throws {
        let settings = try settings(environment: ["XDG_RUNTIME_DIR": "/run/user/7"]) { $0.pinSource = "pin" }
        #expect(settings.pinSource == .file(path: "/here/pin"))
    }

    @Test func `The folder of the user's socket is made private`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try settings(environment: ["XDG_RUNTIME_DIR": folder]) { $0.home = "/h" }.prepareSocketFolder()
        #expect(try FileStatus.of(folder + "/keyfob").permissions == 0o700)
    }

    @Test func `The folder of a socket at a chosen path is not made`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        try settings {
            $0.home = "/h"
            $0.socket = folder + "/x.sock"
        }.prepareSocketFolder()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
