// SPDX-License-Identifier: Apache-2.0

/// The version of Keyfob.
package enum Version {
    /// As CHANGELOG.md names it (Semantic Versioning 2.0.0).
    package static let current = "0.1.0-dev"
}
