// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The signals that a thread blocks, remembered to be given to a child.
package struct SignalMask {
    let set: sigset_t

    /// The mask of the calling thread.
    package static func current() -> SignalMask {
        var set = sigset_t()
        // Asking cannot fail; the mask of nothing would be what a login has.
        unsafe sigemptyset(&set)
        _ = unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
        return SignalMask(set: set)
    }
}
