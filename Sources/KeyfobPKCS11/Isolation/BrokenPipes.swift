// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Keeps the signal of a broken pipe from ending the process while p11-kit writes to a process that has ended: that of an
/// isolated module, or a server of `p11-kit-client.so`.
///
/// p11-kit uses write(2) and takes the error for what it is. A program may ignore the signal as a whole, a library must
/// not.
enum BrokenPipes {
    /// Does it with the signal blocked on this thread, and takes back one that was raised meanwhile.
    static func harmless<Value>(_ body: () -> Value) -> Value {
        var pipe = sigset_t()
        var former = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe sigpending(&pending)
        let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &former)
        let value = body()
        if !wasPending {
            // Raised by a write of this thread it waits for this thread alone.
            var none = timespec()
            while unsafe sigtimedwait(&pipe, nil, &none) < 0 && errno == EINTR {}
        }
        unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
        return value
    }
}
