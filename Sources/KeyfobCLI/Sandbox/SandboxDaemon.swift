// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform
internal import KeyfobWords

/// The daemon of a sandbox: it makes the keychain, serves it, and ends when we do.
///
/// It holds one end of a stream: it writes a byte when it serves, and stops when our end is closed, by us or by the
/// kernel.
final class SandboxDaemon {
    /// How long it may take to stop, in milliseconds: the time that it gives to running requests, and some.
    private static let patience: Int32 = 15_000

    private let pid: Int32
    private let line: Descriptor
    private var ended: ProgramEnd?

    /// Starts it for the folder; it does not serve yet.
    ///
    /// - Throws: `Failure` if there is no `keyfobd`, or it cannot be run.
    init(_ folder: SandboxFolder, isLocked: Bool) throws(Failure) {
        let program = try Self.program()
        let words =
            [program, "--sandbox", folder.path, "--stop-with-fd", "3", "--ready-fd", "3"]
            + (isLocked ? [] : ["--pin-source", "file:\(folder.pinFile)"])
        do throws(PosixError) {
            let ends = try Descriptor.socketPair()
            line = Descriptor(owning: ends.0)
            let theirs = Descriptor(owning: ends.1)
            // It is no service of the manager that may have started us; and nothing in it is worth a warning.
            let level = Environment.value("KEYFOB_LOG") ?? "error"
            pid = try ProgramStart.service(
                words, descriptor: theirs.rawValue,
                (["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "CREDENTIALS_DIRECTORY"], [("KEYFOB_LOG", level)]))
        } catch {
            throw Failure(
                .failure, "cannot start \(Printable.text(program)): \(error.call): \(CauseName.posix(error.errno))")
        }
    }

    /// What is readable when the daemon serves, or has ended.
    var readyDescriptor: Int32 { line.rawValue }

    /// Waits until it serves.
    ///
    /// - Throws: `Failure` with the daemon's status if it ended instead; it has said why.
    func waitUntilReady() throws(Failure) {
        var byte: [UInt8] = [0]
        let count = unsafe byte.withUnsafeMutableBytes { buffer in
            // A line that cannot be read is one that ended.
            (unsafe try? line.read(into: buffer)) ?? 0
        }
        guard count == 0 else { return }
        let end = ended ?? ProgramEnd.of(pid, waiting: true) ?? .exited(1)
        ended = end
        throw Failure(
            ExitStatus(rawValue: max(1, end.status)), "the sandbox's daemon did not start",
            hint: "what it says stands above")
    }

    /// How it ended, if it did; asks each time until then.
    ///
    /// A process that ends closes its descriptors first, and clients notice that: so the line tells, and what is left of the
    /// end is waited for.
    func checkEnd() -> ProgramEnd? {
        if ended == nil { ended = ProgramEnd.of(pid, waiting: isLineClosed) }
        return ended
    }

    private var isLineClosed: Bool {
        var watched = pollfd(fd: line.rawValue, events: 0, revents: 0)
        return unsafe poll(&watched, 1, 0) > 0
    }

    /// Stops it, and returns when it is gone.
    func stop() {
        guard checkEnd() == nil else { return }
        shutdown(line.rawValue, Int32(SHUT_WR))
        var watched = pollfd(fd: line.rawValue, events: Int16(POLLIN), revents: 0)
        // Its end of the line closes with it.
        if unsafe poll(&watched, 1, Self.patience) <= 0 { kill(pid, SIGKILL) }
        ended = ProgramEnd.of(pid, waiting: true)
    }

    /// `keyfobd` beside this program, else in `PATH`.
    private static func program() throws(Failure) -> String {
        let folders =
            [ownFolder].compactMap(\.self) + (Environment.value("PATH") ?? "").split(separator: ":").map(String.init)
        for folder in folders where folder.hasPrefix("/") {
            let path = folder + "/keyfobd"
            if unsafe access(path, X_OK) == 0 { return path }
        }
        throw Failure(
            .noDaemon, "there is no keyfobd beside keyfob, nor in PATH",
            hint: "install it beside keyfob: scripts/quickstart builds both")
    }

    private static var ownFolder: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path[..<slash], as: UTF8.self)
    }
}
