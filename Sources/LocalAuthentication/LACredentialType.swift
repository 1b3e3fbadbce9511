// SPDX-License-Identifier: Apache-2.0

/// What a credential that the program supplies is (LAContext.h).
public enum LACredentialType: Int, Sendable {
    /// The password of an item whose access control asks for one.
    case applicationPassword = 0
    /// The PIN of the token.
    case smartCardPIN = -3
}
