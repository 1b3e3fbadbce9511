// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobPlatform
import Synchronization

/// A terminal whose screen and keyboard a test holds.
final class PseudoTerminal: Sendable {
    /// The path of the side that programs use.
    let path: String
    private let master: Descriptor
    // Kept open, so that settings outlive the program that made them and can be looked at.
    private let slave: Descriptor
    private let seen = Mutex("")

    init() throws {
        master = try Descriptor.open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var unlocked: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), macros that Swift does not see.
        guard unsafe ioctl(master.rawValue, 0x4004_5431, &unlocked) == 0,
            unsafe ioctl(master.rawValue, 0x8004_5430, &number) == 0
        else { throw PosixError.last("ioctl") }
        path = "/dev/pts/\(number)"
        slave = try Descriptor.open(path, O_RDWR | O_NOCTTY)
    }

    /// Whether typed characters are shown.
    var echoes: Bool {
        var settings = termios()
        unsafe precondition(tcgetattr(slave.rawValue, &settings) == 0, "no settings")
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Everything on the screen so far that a call has waited for.
    var screen: String { seen.withLock { $0 } }

    /// Types.
    func type(_ text: String) throws { try master.write(text) }

    /// Waits until the text is on the screen `count` times, for ten seconds; says whether it is.
    @discardableResult
    func waitFor(_ text: String, count: Int = 1, meanwhile: () -> Void = {}) -> Bool {
        for _ in 0..<200 {
            if screen.components(of: text) >= count { return true }
            var wait = pollfd(fd: master.rawValue, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&wait, 1, 50) > 0 { receive() }
            meanwhile()
        }
        return screen.components(of: text) >= count
    }

    /// Reads all that programs have written to the screen.
    func drain() throws {
        try slave.write("[end of screen]")
        waitFor("[end of screen]")
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(master.rawValue, &buffer, buffer.count)
        guard count > 0 else { return }
        seen.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
