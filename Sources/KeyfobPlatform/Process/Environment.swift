// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Environment variables; no secret is ever read from one.
package enum Environment {
    /// The value of a variable, or nil if it is unset or empty.
    package static func value(_ name: String) -> String? {
        guard let raw = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: raw)
        return value.isEmpty ? nil : value
    }
}
