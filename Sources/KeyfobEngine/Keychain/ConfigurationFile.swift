// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSQLite

/// Reads and writes the JSON files of a keychain's folder.
enum ConfigurationFile {
    /// The members of the object that a file holds.
    ///
    /// - Throws: `.keychainNotFound` if there is no file, `.configurationInvalid` if it holds something else.
    static func object(_ path: String, limit: Int) throws(KeychainError) -> [(String, JSONValue)] {
        guard case .object(let members) = try value(path, limit: limit) else {
            throw invalid(path, "the file", "must hold one JSON object")
        }
        return members
    }

    /// What a file holds.
    static func value(_ path: String, limit: Int) throws(KeychainError) -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try Descriptor.open(path, O_RDONLY).contents(limit: limit)
        } catch {
            throw KeychainError(
                error, .configure, path: path, missing: .keychainNotFound, remedy: .createKeychain)
        }
        do {
            return try JSONDocument.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw invalid(path, "the file", "is no JSON: \(error)")
        }
    }

    /// Writes a file whole or not at all: a new one, flushed, takes the old one's place.
    static func write(_ text: String, to path: String) throws(KeychainError) {
        let fresh = path + ".new"
        do throws(PosixError) {
            let file = try Descriptor.open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o600)
            unsafe try file.write(text.utf8Span.span.bytes)
            guard fsync(file.rawValue) == 0 else { throw PosixError.last("fsync") }
            guard unsafe rename(fresh, path) == 0 else { throw PosixError.last("rename") }
        } catch {
            throw KeychainError(error, .configure, path: path)
        }
    }

    static func invalid(_ path: String, _ place: String, _ fault: String) -> KeychainError {
        KeychainError(
            .configurationInvalid, .configure, subject: .path(path), cause: .format(place: place, fault: fault),
            remedy: .fixConfiguration)
    }
}
