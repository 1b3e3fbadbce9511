// SPDX-License-Identifier: Apache-2.0

/// What `keyfob audit verify` found.
package struct AuditVerification: Hashable, Sendable {
    /// What is wrong at a place; the raw value is the word that is printed.
    package enum Fault: String, CaseIterable, Hashable, Sendable {
        /// Lines are missing between two others.
        case removed
        /// A line is not the one that the next line, or a checkpoint, was made for.
        case changed
        /// A line stands after one that came later.
        case reordered
        /// A line is there twice.
        case repeated
        /// Lines that a checkpoint vouches for are missing at the end.
        case truncated
        /// A line is no line of an audit log.
        case malformed
        /// A checkpoint that the token did not make.
        case forged
        /// Keyfob itself found the log shorter than, or other than, it had left it, and said so in the log.
        case recovered
    }

    /// One fault.
    package struct Finding: Hashable, Sendable {
        package let fault: Fault
        /// The first line at fault.
        package let sequence: UInt64
        /// The last line at fault.
        package let last: UInt64
        /// The file's name within the folder of the log.
        package let file: String
        /// Where in the file, in bytes.
        package let offset: Int

        package init(_ fault: Fault, sequence: UInt64, last: UInt64? = nil, file: String, offset: Int) {
            self.fault = fault
            self.sequence = sequence
            self.last = last ?? sequence
            self.file = file
            self.offset = offset
        }
    }

    /// Lines that were read.
    package var lines: Int
    /// The number of the first line; above 1 if old files were removed; 0: there is none.
    package var first: UInt64
    package var last: UInt64
    /// Checkpoints whose seal the token opened and whose hash is the chain's.
    package var checkpoints: Int
    /// Lines after the last checkpoint: they are chained, but no token vouches for them yet.
    package var unsealed: Int
    /// In the order of the files.
    package var findings: [Finding]

    package init(
        lines: Int = 0, first: UInt64 = 0, last: UInt64 = 0, checkpoints: Int = 0, unsealed: Int = 0,
        findings: [Finding] = []
    ) {
        self.lines = lines
        self.first = first
        self.last = last
        self.checkpoints = checkpoints
        self.unsealed = unsealed
        self.findings = findings
    }
}
