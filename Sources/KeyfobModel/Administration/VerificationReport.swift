// SPDX-License-Identifier: Apache-2.0

/// What `keyfob verify` found.
package struct VerificationReport: Hashable, Sendable {
    /// One fault of one row.
    package struct Finding: Hashable, Sendable {
        /// The row's number in the store.
        package let row: Int64
        package let item: ItemUUID
        /// The column at fault.
        package let column: String
        /// What is wrong with it, in words.
        package let fault: String

        package init(row: Int64, item: ItemUUID, column: String, fault: String) {
            self.row = row
            self.item = item
            self.column = column
            self.fault = fault
        }
    }

    /// Rows whose every part was opened.
    package var verified: Int
    /// Rows whose class is locked now, or that need a person, so that they could not be looked into.
    package var locked: Int
    package var findings: [Finding]

    package init(verified: Int = 0, locked: Int = 0, findings: [Finding] = []) {
        self.verified = verified
        self.locked = locked
        self.findings = findings
    }
}
