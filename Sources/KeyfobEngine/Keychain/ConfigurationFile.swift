// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSQLite

/// Reads and writes the JSON files of a keychain's folder.
enum ConfigurationFile {
    /// The members of the object that a file holds.
    ///
    /// - Throws: as `value`, and if the file holds something else.
    static func object(_ path: String, limit: Int) throws(KeychainError) -> [(String, JSONValue)] {
        guard case .object(let members) = try value(path, limit: limit) else {
            throw invalid(path, "the file", "must hold one JSON object")
        }
        return members
    }

    /// What a file holds.
    ///
    /// - Throws: `.configurationInvalid` if it is missing, no plain file, too long or no JSON.
    static func value(_ path: String, limit: Int) throws(KeychainError) -> JSONValue {
        let bytes: [UInt8]
        do throws(PosixError) {
            // A pipe must not hold the program up.
            let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == .file else { throw PosixError(call: "open", errno: EINVAL) }
            bytes = try file.contents(limit: limit)
        } catch {
            switch error.errno {
            case EINVAL: throw invalid(path, "the file", "is no plain file")
            case EFBIG: throw invalid(path, "the file", "is longer than \(limit) bytes")
            default:
                throw KeychainError(
                    error, .configure, path: path, missing: .configurationInvalid, remedy: .fixConfiguration)
            }
        }
        do {
            return try JSONDocument.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw invalid(path, "the file", "is not what it should be: \(error)")
        }
    }

    /// Writes a file whole or not at all (`WholeFile`).
    static func write(_ text: String, to path: String) throws(KeychainError) {
        unsafe try write(text.utf8Span.span.bytes, to: path)
    }

    /// The same for bytes.
    static func write(_ bytes: RawSpan, to path: String) throws(KeychainError) {
        do throws(PosixError) { try WholeFile.write(bytes, to: path, isOnlyWriter: true) } catch {
            throw KeychainError(error, .configure, path: path)
        }
    }

    static func invalid(_ path: String, _ place: String, _ fault: String) -> KeychainError {
        KeychainError(
            .configurationInvalid, .configure, subject: .path(path), cause: .format(place: place, fault: fault),
            remedy: .fixConfiguration)
    }
}
