// SPDX-License-Identifier: Apache-2.0
// Tells the thread sanitizer of the contended half of Synchronization.Mutex.
//
// An uncontended lock, try or unlock is one compare-and-exchange that the compiler puts into the caller, where the
// sanitizer sees it. If it fails the caller calls into libswiftSynchronization, which locks and unlocks the same word in
// ways that the sanitizer does not see: what was changed under the lock then looks like a race. scripts/sanitize links
// this file in, with the linker's --wrap for each of the three functions. Each calls the real one and reports exactly
// the order that the real one makes, on the address of the same word: what came before the unlock of a lock comes
// before what follows the next lock of that lock. Nothing is suppressed, so what is changed without the lock is still
// reported; Tests/Sanitizer/Races.swift shows both.
//
// The calling convention is Swift's for a method: `self`, which is the address of the lock's word, in the context
// register. The names are part of the ABI of Swift 6.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define SYMBOL(prefix, name) __asm__(prefix "$s15Synchronization12_MutexHandleV" name)

// Of compiler-rt's <sanitizer/tsan_interface.h>.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Weak, as a program in C alone has no Mutex and links no libswiftSynchronization: there nothing calls the three.
#define WEAK __attribute__((weak))
SWIFT WEAK void real_lock(uint32_t thread, SELF void *word) SYMBOL("__real_", "9_lockSlowyys6UInt32VF");
SWIFT WEAK bool real_try(SELF void *word) SYMBOL("__real_", "12_tryLockSlowSbyF");
SWIFT WEAK void real_unlock(SELF void *word) SYMBOL("__real_", "11_unlockSlowyyF");
SWIFT void seen_lock(uint32_t thread, SELF void *word) SYMBOL("__wrap_", "9_lockSlowyys6UInt32VF");
SWIFT bool seen_try(SELF void *word) SYMBOL("__wrap_", "12_tryLockSlowSbyF");
SWIFT void seen_unlock(SELF void *word) SYMBOL("__wrap_", "11_unlockSlowyyF");

SWIFT void seen_lock(uint32_t thread, SELF void *word) {
    real_lock(thread, word);
    __tsan_acquire(word);
}

SWIFT bool seen_try(SELF void *word) {
    bool is_locked = real_try(word);
    if (is_locked) __tsan_acquire(word);
    return is_locked;
}

SWIFT void seen_unlock(SELF void *word) {
    __tsan_release(word);
    real_unlock(word);
}

// The sanitizer's mlock(2) does nothing and says that it did it; tests look for pages that are locked, and for the error
// where none may be.
int __wrap_mlock(const void *address, size_t size) { return (int)syscall(SYS_mlock, address, size); }
