// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobPlatform
import Testing

/// What a crash shows of a secret that a register points at, with the crash handler of the Swift runtime turned on.
struct CrashTests {
    /// Sixteen letters that no source file spells out, so that a quoted source line cannot be mistaken for memory.
    private static let canary = (0..<16).map { UInt8(ascii: "A") + UInt8($0) }
    private static let shown = String(decoding: canary, as: UTF8.self)

    /// Turns the handler on in children that start from now on: only the start of the runtime reads the setting.
    private static let handlerIsOn: Bool =
        unsafe setenv("SWIFT_BACKTRACE", "enable=yes,color=no,interactive=no,threads=crashed,limit=4", 1) == 0

    /// Copies a secret to an address that does not exist: the second parameter is the secret's.
    private static func crash() throws {
        let secret = try SecretBytes(copying: canary)
        unsafe secret.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress, let nowhere = unsafe UnsafeMutableRawPointer(bitPattern: 16) else {
                return
            }
            unsafe memmove(nowhere, source, bytes.count)
        }
    }

    @Test func `Without hardening the runtime prints the secret`() async throws {
        #expect(Self.handlerIsOn)
        let result = try await #require(
            processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]
        ) {
            try Self.crash()
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(Self.shown))
    }

    @Test func `With hardening a crash prints neither the secret nor anything about the crash`() async throws {
        #expect(Self.handlerIsOn)
        let result = try await #require(
            processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]
        ) {
            try ProcessHardening.apply()
            try Self.crash()
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(!text.contains(Self.shown))
        #expect(!text.contains("crashed") && !text.contains("Registers"))
    }
}
