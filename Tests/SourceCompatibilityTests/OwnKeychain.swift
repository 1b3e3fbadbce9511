// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyfobTestSupport
import Security

/// Runs `body` with an unlocked keychain of its own, on a token of its own, under the SecItem calls of this thread.
func withOwnKeychain<R>(groups: [String] = [], _ body: (TestKeychain) throws -> R) throws -> R {
    let keychain = try TestKeychain().unlocked()
    return try ServiceSelection.$scoped.withValue(keychain.service("com.example.app", groups: groups)) {
        try body(keychain)
    }
}
