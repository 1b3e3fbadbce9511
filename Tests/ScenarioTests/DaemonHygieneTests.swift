// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobTestSupport
import Testing

/// What the process of the daemon shows and keeps open.
@Suite struct DaemonHygieneTests {
    @Test func `Another process of its user can neither read its memory nor trace it`() throws {
        let lab = try DaemonLab()
        try lab.start()
        let pid = try #require(lab.daemon?.pid)
        #expect(try lab.run(["peek", "\(pid)"], as: lab.user) == ["memory \(EACCES)", "trace \(EPERM)"])
    }

    @Test func `Its status says that it is closed to others, keeps its secrets in memory and leaves no core`() throws {
        let lab = try DaemonLab()
        try lab.start()
        let status = try lab.keyfob(["status", "--json"], as: .shop)
        let data = Data(status.output.joined(separator: "\n").utf8)
        let report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let process = try #require(report["process"] as? [String: Any])
        #expect(process["pid"] as? Int32 == lab.daemon?.pid)
        #expect(process["uid"] as? UInt32 == lab.user.uid)
        #expect(process["dumpable"] as? Bool == false)
        #expect(process["coreLimit"] as? Int == 0)
        #expect(process["noNewPrivileges"] as? Bool == true)
        #expect(process["printsBacktraces"] as? Bool == false)
        #expect(process["unlockedBytes"] as? Int == 0)
        #expect((process["lockedBytes"] as? Int ?? 0) > 0)
    }

    @Test func `It keeps no descriptor that it was not told about`() throws {
        let lab = try DaemonLab()
        let secret = lab.keychain.folder + "/not-for-the-daemon"
        try Data("x".utf8).write(to: URL(filePath: secret))
        try lab.start(launcher: ["/bin/bash", "--norc", "-c", "exec 7<\(secret) 200<\(secret); exec \"$0\" \"$@\""])
        let pid = try #require(lab.daemon?.pid)
        let folder = "/proc/\(pid)/fd"
        let open = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            // A descriptor that was closed meanwhile is not kept.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        #expect(open.count > 5)
        #expect(!open.contains { $0.contains("not-for-the-daemon") }, "\(open)")
        let own = ["socket:", "anon_inode:", "pipe:", "/dev/", lab.keychain.home, "/tmp/keyfob-live-"]
        #expect(open.filter { path in !own.contains { path.hasPrefix($0) } } == [])
    }

    @Test func `Its environment holds no secret and its files are its user's alone`() throws {
        let lab = try DaemonLab()
        try lab.start()
        let pid = try #require(lab.daemon?.pid)
        let environment = try Data(contentsOf: URL(filePath: "/proc/\(pid)/environ"))
        #expect(environment.range(of: Data(lab.keychain.pin)) == nil)
        let socket = try FileManager.default.attributesOfItem(atPath: lab.socket)
        #expect(socket[.posixPermissions] as? Int == 0o660)
        for name in ["keychain.db", "owner.lock", "config.json"] {
            let file = try FileManager.default.attributesOfItem(atPath: lab.keychain.home + "/" + name)
            #expect((file[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(name)")
        }
    }
}
