// SPDX-License-Identifier: Apache-2.0

/// What an administrator allows when class keys are made.
package struct KeyPolicy: Hashable, Sendable {
    /// The suite that is wanted; nil: the best that the token has.
    package var suite: Suite?
    /// Whether a class key may be held by the host from the first unlock on where the token cannot keep it inside.
    package var allowsHostHeld = false
    /// `CKA_ID` of a pair that is on the token already and that every class is to use.
    ///
    /// For cards whose keys are made elsewhere. Needs `allowsHostHeld`.
    package var objectID: [UInt8]?

    package init() {}
}
