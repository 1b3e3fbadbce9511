// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

/// The opened metadata key of a class: seals attributes in the process, so that searching costs no token call.
///
/// Shared by the operations that use it at the moment; its bytes are wiped when the last of them is done after a lock.
final class MetadataKey: Sendable {
    private let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// Lends the key for one seal or open.
    func with<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E) -> R {
        try body(bytes)
    }
}
