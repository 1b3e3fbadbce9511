// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Called by `Security` at the first SecItem call of a program that links this library, if `KEYFOB_EMBEDDED` is 1.
///
/// Not `internal`, for then a release build hides it from `Security` in another shared library.
@_cdecl("keyfob_embedded_autostart")
package func keyfobEmbeddedAutostart() {
    do {
        try EmbeddedKeychain.open()
    } catch {
        Log.shared.error("embedded keychain: \(error)")
    }
}
