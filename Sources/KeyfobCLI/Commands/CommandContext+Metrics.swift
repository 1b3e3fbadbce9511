// SPDX-License-Identifier: Apache-2.0
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
            try failing { () throws(KeychainError) in
                // Who collects is somebody else, and nothing in it is secret.
                do throws(PosixError) {
                    unsafe try WholeFile.write(text.utf8Span.span.bytes, to: path, mode: 0o644)
                } catch {
                    throw KeychainError(error, .status, path: path)
                }
            }
        }
    }
}
