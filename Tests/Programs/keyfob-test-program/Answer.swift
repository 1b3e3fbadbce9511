// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory

/// The conversation with the test: lines out, and lines or scrambled secrets in.
enum Answer {
    /// Writes a line at once.
    static func line(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// Tells the test a step is done and waits until it says to go on.
    static func pause(_ step: String) {
        line(step)
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
    }

    /// The next secret of standard input: length 4 little-endian, then bytes xor 0xA5, so that no buffer of ours or of
    /// the kernel's holds what is searched for later.
    static func secret() throws -> SecretBytes {
        var count = 0
        for shift in [0, 8, 16, 24] { count |= Int(byte()) << shift }
        var secret = try SecretBytes(count: count)
        unsafe secret.withUnsafeMutableBytes { buffer in
            for index in buffer.indices { unsafe buffer[index] = byte() ^ 0xA5 }
        }
        return secret
    }

    private static func byte() -> UInt8 {
        var byte: UInt8 = 0
        guard unsafe read(STDIN_FILENO, &byte, 1) == 1 else { exit(3) }
        return byte
    }
}
