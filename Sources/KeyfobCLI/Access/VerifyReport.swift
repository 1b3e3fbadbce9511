// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What `keyfob verify` found.
package struct VerifyReport: Hashable, Sendable {
    /// One fault of one item.
    package struct Finding: Hashable, Sendable {
        /// The item's row in the store.
        package let row: Int64
        package let item: ItemUUID
        /// The column at fault.
        package let column: String
        /// What is wrong with it, in words that name no secret.
        package let fault: String

        package init(row: Int64, item: ItemUUID, column: String, fault: String) {
            self.row = row
            self.item = item
            self.column = column
            self.fault = fault
        }
    }

    /// How many items opened whole.
    package let verified: Int
    /// How many could not be looked into, as their class is locked.
    package let locked: Int
    package let findings: [Finding]

    package init(verified: Int, locked: Int = 0, findings: [Finding] = []) {
        self.verified = verified
        self.locked = locked
        self.findings = findings
    }
}
