// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobPlatform

/// What a test does to a process from outside.
enum CrashVerbs {
    /// Crashes with a secret in hand.
    static func crash(_ way: String, isHardened: Bool) throws {
        if isHardened { try ProcessHardening.apply() }
        let secret = try Answer.secret()
        // In a register or on the stack at the moment of the crash, where a crash handler that prints memory finds it.
        unsafe secret.withUnsafeBytes { bytes in
            let first = unsafe bytes.loadUnaligned(as: UInt64.self)
            unsafe crash(way, bytes, first)
        }
    }

    @inline(never) private static func crash(_ way: String, _ bytes: UnsafeRawBufferPointer, _ first: UInt64) {
        switch way {
        case "null":
            let nowhere = unsafe UnsafeMutablePointer<UInt64>(bitPattern: 8)
            unsafe nowhere?.pointee = first
        case "trap":
            let none: Int? = unsafe bytes.isEmpty ? 1 : nil
            Answer.line("\(unsafe none.unsafelyUnwrapped)")
        case "overflow":
            let sum = UInt8(truncatingIfNeeded: first) | 0xFF
            Answer.line("\(sum + UInt8(bytes.count | 1))")
        default:
            abort()
        }
        withExtendedLifetime(first) {}
    }

    /// Tells that it runs, and waits.
    static func wait(isHardened: Bool) throws {
        if isHardened { try ProcessHardening.apply() }
        Answer.pause("ready")
    }

    /// Tries to read another process: through `/proc/PID/mem`, and as a debugger.
    static func peek(at pid: pid_t) {
        let file = unsafe open("/proc/\(pid)/mem", O_RDONLY)
        Answer.line(file >= 0 ? "memory readable" : "memory \(errno)")
        // Variadic in C, so Swift does not import it; on Linux such a call is passed like any other.
        typealias Trace = @convention(c) (Int32, pid_t, Int, Int) -> Int
        guard let symbol = unsafe dlsym(nil, "ptrace") else { return }
        let seize: Int32 = 0x4206
        let result = unsafe unsafeBitCast(symbol, to: Trace.self)(seize, pid, 0, 0)
        Answer.line(result == 0 ? "traced" : "trace \(errno)")
    }
}
