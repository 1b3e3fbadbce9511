// SPDX-License-Identifier: Apache-2.0

/// Which of the two shapes of `CK_GCM_PARAMS` a module reads.
///
/// The standard's text and its header disagreed in v2.40: with or without `ulIvBits` after `ulIvLen`. A module that
/// reads the wrong one refuses, or takes the length of the associated data for its address.
package enum GCMVariant: UInt8, Hashable, Sendable, CaseIterable {
    /// Six fields, `ulIvBits` set to eight times `ulIvLen` (the header; PKCS #11 v3.x).
    case withIVBits = 1
    /// Five fields (the text of v2.40).
    case withoutIVBits = 2
}
