// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform

/// A folder with a random name that is gone when its owner is.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/keyfob-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw PosixError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // What a test has made unreadable stays behind.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a name in the folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a file and gives its path back.
    func file(_ name: String, _ contents: String, mode: UInt32 = 0o600) throws -> String {
        let path = self(name)
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        try file.write(contents)
        unsafe chmod(path, mode)
        return path
    }
}

extension Descriptor {
    /// Writes text.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        unsafe try write(bytes.span.bytes)
    }
}

extension SecretBytes {
    /// The bytes as text, for comparison in a test.
    var exposed: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

/// The text of a file; nil if it cannot be read.
func contents(_ path: String) -> String? {
    // Absence is an answer.
    guard let file = try? Descriptor.open(path, O_RDONLY), let bytes = try? file.contents(limit: 1 << 20) else {
        return nil
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A pipe that holds a text and ends after it; the descriptor of its reading end.
func pipe(holding text: String) throws -> Descriptor {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw PosixError.last("pipe") }
    let reader = Descriptor(owning: ends[0])
    let writer = Descriptor(owning: ends[1])
    try writer.write(text)
    return reader
}

/// The error that `body` throws; nil if it throws none.
func failure<R: ~Copyable>(_ body: () throws(KeychainError) -> R) -> KeychainError? {
    do throws(KeychainError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
