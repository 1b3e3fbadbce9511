// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform

/// SoftHSM cuts a token's own file (`token.object`: label, flags, PIN) to nothing and writes it anew at each login,
/// and a process that is killed between the two, or a full disk, would take the whole keychain with it.
///
/// So there is a copy beside the tokens, made while no module is loaded, and a file that is shorter than its copy is
/// replaced by it. The key objects are written once and need none.
extension SoftwareToken {
    private static let sizeLimit = 65536
    /// The counter that SoftHSM raises at each writing.
    private static let counterLength = 8

    /// Brings back what was cut short, and copies what is new; before the module is loaded.
    ///
    /// - Throws: the faults of the folder if a file must be brought back and cannot.
    func secure() throws(KeychainError) {
        let names: [String]
        do { names = try FolderNames.of(tokens) } catch { throw KeychainError(error, .open, path: tokens) }
        for name in names {
            let original = "\(tokens)/\(name)/token.object"
            let copy = "\(copies)/\(name).object"
            guard let present = Self.bytes(original) else { continue }
            let copied = Self.bytes(copy) ?? []
            if present.count < copied.count {
                Log.shared.warning("\(original) was cut short; its copy takes its place")
                unsafe try ConfigurationFile.write(copied.span.bytes, to: original)
            } else if present.dropFirst(Self.counterLength) != copied.dropFirst(Self.counterLength) {
                keep(present, at: copy)
            }
        }
    }

    /// Puts a new copy in the place of that which the old PIN opens, after a PIN was changed or set.
    ///
    /// The module is loaded: a file that another login cuts short at this moment is left to the next opening.
    func renewCopies() {
        // A folder that cannot be read now is told of by whatever needs the token next.
        for name in (try? FolderNames.of(tokens)) ?? [] {
            let copy = "\(copies)/\(name).object"
            guard let present = Self.bytes("\(tokens)/\(name)/token.object"), !present.isEmpty,
                present.count >= (Self.bytes(copy) ?? []).count
            else { continue }
            keep(present, at: copy)
        }
    }

    private func keep(_ bytes: [UInt8], at copy: String) {
        do throws(KeychainError) {
            try PrivateFolder.create(copies)
            unsafe try ConfigurationFile.write(bytes.span.bytes, to: copy)
        } catch {
            // On a full or read-only disk the keychain still works; the next opening tries again.
            let number = error.code.rawValue
            Log.shared.warning("no copy of the software token could be kept: error \(number) of docs/errors.md")
        }
    }

    /// Empty if there is no such file, nil if it cannot be read: then SoftHSM says what is wrong with it.
    private static func bytes(_ path: String) -> [UInt8]? {
        do throws(PosixError) {
            return try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).contents(limit: sizeLimit)
        } catch {
            return error.errno == ENOENT ? [] : nil
        }
    }

    private var copies: String { folder + "/copies" }
}
