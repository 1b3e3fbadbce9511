// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobPlatform
internal import KeyfobTestSupport
internal import Testing

/// What a sweep may remove.
struct SandboxFolderTests {
    /// A folder of its own as `TMPDIR`, with one thing in it that looks like a sandbox.
    private static func swept(_ arrange: (String) throws -> Void) throws -> Bool {
        let parent = FileManager.default.temporaryDirectory.path + "/keyfob-sweep-\(UUID().uuidString)"
        let folder = parent + "/" + SandboxFolder.prefix + "abcdef"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // What stays behind is no fault of what was tested.
        defer { try? FileManager.default.removeItem(atPath: parent) }
        try Data("keep".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
        try arrange(folder)
        #expect(try SandboxRun.shell("true", environment: ["TMPDIR": parent]).status == 0)
        return !SandboxRun.exists(folder + "/file") && !SandboxRun.exists(parent + "/elsewhere/file")
    }

    private static func mark(_ folder: String, _ text: String = "keyfob sandbox\n") throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/sandbox.lock"))
    }

    @Test func `A marked folder that nobody uses is removed`() throws {
        #expect(try Self.swept { try Self.mark($0) })
    }

    @Test func `A folder without a marker stays`() throws {
        #expect(try !Self.swept { _ in })
    }

    @Test func `A folder with another text in the marker stays`() throws {
        #expect(try !Self.swept { try Self.mark($0, "keyfob sandbax\n") })
    }

    @Test func `A folder that others may enter stays`() throws {
        #expect(
            try !Self.swept {
                try Self.mark($0)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: $0)
            })
    }

    @Test func `A link to a marked folder is not followed`() throws {
        #expect(
            try !Self.swept {
                try Self.mark($0)
                let elsewhere = ($0 as NSString).deletingLastPathComponent + "/elsewhere"
                try FileManager.default.moveItem(atPath: $0, toPath: elsewhere)
                try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: elsewhere)
            })
    }

    @Test func `A folder of a marker that is a link stays`() throws {
        #expect(
            try !Self.swept {
                try Self.mark($0)
                try FileManager.default.moveItem(atPath: $0 + "/sandbox.lock", toPath: $0 + "/real")
                try FileManager.default.createSymbolicLink(
                    atPath: $0 + "/sandbox.lock", withDestinationPath: $0 + "/real")
            })
    }

    /// Whether a sweep removes a folder that holds those files, all empty, and was last changed so many seconds ago.
    private static func sweepsUnfinished(_ names: [String], age: Double) throws -> Bool {
        let parent = FileManager.default.temporaryDirectory.path + "/keyfob-sweep-\(UUID().uuidString)"
        let folder = parent + "/" + SandboxFolder.prefix + "abcdef"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // What stays behind is no fault of what was tested.
        defer { try? FileManager.default.removeItem(atPath: parent) }
        for name in names { try Data().write(to: URL(fileURLWithPath: folder + "/" + name)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder)
        #expect(try SandboxRun.shell("true", environment: ["TMPDIR": parent]).status == 0)
        let left = names.filter { SandboxRun.exists(folder + "/" + $0) }
        #expect(left == names || left.isEmpty)
        return !SandboxRun.exists(folder)
    }

    @Test func `A folder whose maker was killed before it was marked is removed when it is old`() throws {
        #expect(try Self.sweepsUnfinished([], age: 3600))
        #expect(try Self.sweepsUnfinished(["sandbox.lock"], age: 3600))
    }

    @Test func `A folder that is being made stays, and so does one that holds anything else`() throws {
        #expect(try !Self.sweepsUnfinished(["sandbox.lock"], age: 0))
        #expect(try !Self.sweepsUnfinished(["file"], age: 3600))
        #expect(try !Self.sweepsUnfinished([".file", "sandbox.lock"], age: 3600))
    }

    @Test func `A daemon refuses a folder that is no sandbox, and leaves it as it is`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/\(SandboxFolder.prefix)\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // What stays behind is no fault of what was tested.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try SpawnedProgram("keyfobd").run(["--sandbox", folder])
        #expect(outcome.status == 78)
        #expect(outcome.errorText.contains("is no sandbox of this user"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
