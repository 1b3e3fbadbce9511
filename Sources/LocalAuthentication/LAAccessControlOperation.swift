// SPDX-License-Identifier: Apache-2.0

/// What a person is asked to allow (LAContext.h).
public enum LAAccessControlOperation: Int, Sendable {
    /// Making an item.
    case createItem = 0
    /// Reading an item.
    case useItem = 1
    /// Making a key.
    case createKey = 2
    /// Signing with a key.
    case useKeySign = 3
    /// Decrypting with a key.
    case useKeyDecrypt = 4
    /// Agreeing on a secret with a key.
    case useKeyKeyExchange = 5
}
