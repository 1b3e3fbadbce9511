// SPDX-License-Identifier: Apache-2.0

/// What may hold the keys of a sandbox; the raw value is the word for it.
package enum SandboxToken: String, CaseIterable, Sendable {
    /// A token of SoftHSM, in the sandbox's folder.
    case softhsm

    /// All of them, for people.
    static let words = allCases.map(\.rawValue).joined(separator: ", ")
}
