// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
package import KeyfobPKCS11
internal import Synchronization

/// The SoftHSM of the test process: one module, one token folder of its own, removed when the process ends.
package final class SoftHSM: Sendable {
    /// The SoftHSM of the process, made at the first use.
    ///
    /// Without the library the tests fail.
    package static let shared = SoftHSM()

    /// The folder with the configuration and the tokens.
    package let folder: String
    /// The library's file.
    package let modulePath: String
    /// The module, which stays loaded as long as the process lives.
    package let module: Module
    private let initializing = Mutex(())

    private init() {
        folder = Self.makeFolder()
        modulePath = Self.findLibrary()
        let configuration = """
            directories.tokendir = \(folder)/tokens
            objectstore.backend = file
            log.level = ERROR
            slots.removable = false
            slots.mechanisms = ALL
            library.reset_on_fork = true

            """
        guard unsafe mkdir("\(folder)/tokens", 0o700) == 0 else { fatalError("cannot make \(folder)/tokens") }
        Self.write(configuration, to: "\(folder)/softhsm2.conf")
        unsafe setenv("SOFTHSM2_CONF", "\(folder)/softhsm2.conf", 1)
        do throws(PKCS11Error) {
            module = try Module.load(path: modulePath)
        } catch {
            fatalError("SoftHSM does not start: \(error)")
        }
        atexit { SoftHSM.removeFolders() }
    }

    /// Lends the blank slot that SoftHSM always has, to one test at a time.
    package func withEmptySlot<R>(_ body: (SlotID) throws -> R) throws -> R {
        try initializing.withLock { _ in
            guard let slot = try module.emptySlots().first else { fatalError("SoftHSM has no blank slot") }
            return try body(slot)
        }
    }

    // MARK: - Folder

    private static let folders = Mutex<[String]>([])

    private static func makeFolder() -> String {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/keyfob-softhsm-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { fatalError("cannot make a folder in \(parent)") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        folders.withLock { $0.append(folder) }
        return folder
    }

    private static func removeFolders() {
        for folder in folders.withLock({ $0 }) {
            // The process ends: a folder that cannot be removed has nobody to be told to.
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private static func write(_ text: String, to path: String) {
        guard let file = unsafe fopen(path, "w") else { fatalError("cannot write \(path)") }
        unsafe fputs(text, file)
        unsafe fclose(file)
    }

    private static func findLibrary() -> String {
        let candidates = [
            "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
            "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so",
        ]
        guard let path = candidates.first(where: { unsafe access($0, R_OK) == 0 }) else {
            fatalError("these tests need SoftHSM: apt-get install softhsm2")
        }
        return path
    }
}
