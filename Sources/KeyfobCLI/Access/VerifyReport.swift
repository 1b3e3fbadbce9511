// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What `keyfob verify` found.
package struct VerifyReport: Hashable, Sendable {
    /// One item that does not open.
    package struct Fault: Hashable, Sendable {
        package let item: PersistentReference
        /// Why, in words that name no secret.
        package let reason: String

        package init(item: PersistentReference, reason: String) {
            self.item = item
            self.reason = reason
        }
    }

    /// How many items opened.
    package let intact: Int
    package let faults: [Fault]

    package init(intact: Int, faults: [Fault]) {
        self.intact = intact
        self.faults = faults
    }
}
