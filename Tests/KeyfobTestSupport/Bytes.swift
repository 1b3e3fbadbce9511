// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
    /// A copy that nobody wipes: for comparing in tests only.
    package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
