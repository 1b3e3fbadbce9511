// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob metrics`: the daemon's measurements, printed or put into a file that a collector reads.
    func metrics() throws(Failure) {
        try withKeychain { (keychain) throws(Failure) in
            guard let text = try failing({ () throws(KeychainError) in try keychain.metrics() }) else {
                throw Failure(
                    .noDaemon, "only a daemon measures, and none has this keychain open",
                    hint: "start it: keyfobd --user, or systemctl start keyfobd")
            }
            guard let path = invocation[.out] else { return try console.write(text) }
            try failing { () throws(KeychainError) in try Self.replace(path, by: text) }
        }
    }

    /// Writes a file whole or not at all, so that a collector never reads half of it.
    private static func replace(_ path: String, by text: String) throws(KeychainError) {
        let fresh = path + ".\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let file: Descriptor
        do throws(PosixError) {
            file = try Descriptor.open(fresh, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch {
            throw KeychainError(error, .status, path: path)
        }
        do throws(PosixError) {
            unsafe try file.write(text.utf8Span.span.bytes)
            // Who collects is somebody else, and nothing in it is secret.
            guard fchmod(file.rawValue, 0o644) == 0 else { throw .last("fchmod") }
            guard fsync(file.rawValue) == 0 else { throw .last("fsync") }
            guard unsafe rename(fresh, path) == 0 else { throw .last("rename") }
        } catch {
            // What is left of it is in nobody's way but takes room.
            unsafe unlink(fresh)
            throw KeychainError(error, .status, path: path)
        }
    }
}
