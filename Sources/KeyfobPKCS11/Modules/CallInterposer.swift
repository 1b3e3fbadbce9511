// SPDX-License-Identifier: Apache-2.0

/// Stands between Keyfob and a module's functions: how tests make a token fail at a chosen call.
///
/// A module without one pays a null check a call.
package protocol CallInterposer: Sendable {
    /// Asked before each call, on the calling thread, with no lock held; it may block.
    ///
    /// - Returns: nil to let the call through, or the value to return in its stead without calling the module.
    func intercept(_ function: CryptokiFunction) -> ReturnValue?
}
