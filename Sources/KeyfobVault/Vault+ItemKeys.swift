// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
package import KeyfobModel
internal import Synchronization

/// Item keys that were opened before (`ItemKeyCache`), if the keychain's configuration asks for them to be kept.
///
/// Those of items that need a person or a password are never kept, and `verify` asks for none. They go when their class
/// stops being usable, with their item, and when they are too old.
extension Vault {
    /// How the cache is; nil: there is none.
    package var itemKeyCache: ItemKeyCacheStatus? {
        state.withLock { state in
            state.itemKeys.map {
                ItemKeyCacheStatus(limit: $0.limit, held: $0.count, hits: $0.hits, misses: $0.misses)
            }
        }
    }

    /// Wipes the keys that are too old.
    ///
    /// - Returns: when the next one will be, in nanoseconds from now; nil: there is no cache. Keys that are opened from now on
    ///   do not expire before that.
    package func wipeExpiredItemKeys() -> UInt64? {
        let now = itemKeyClock()
        return state.withLock { state in
            guard let cache = state.itemKeys else { return nil }
            if let first = cache.nextExpiry, first <= now { state.itemKeys?.removeExpired(now: now) }
            guard let next = state.itemKeys?.nextExpiry else { return cache.lifetime }
            return next - min(now, next)
        }
    }

    /// Wipes the keys of items that were changed or deleted.
    package func wipeItemKeys(of items: some Sequence<ItemUUID>) {
        guard keepsItemKeys else { return }
        state.withLock { state in
            for item in items { state.itemKeys?.remove(item) }
        }
    }

    /// The item key inside its sealed form: one that is kept, or opened by one token operation.
    ///
    /// - Parameters:
    ///   - format: the version of the blob.
    ///   - asked: becomes false if the token was not asked.
    func itemKey(
        _ sealed: RawSpan, _ suite: Suite, _ binding: ItemBinding, _ format: UInt8,
        _ operation: KeychainError.Operation, _ asked: inout Bool
    ) throws(OpenFailure) -> SecretBytes {
        guard keepsItemKeys, format == Envelope.version, operation != .verify else {
            return try openItemKey(sealed, suite, binding, format, operation)
        }
        let digest: [UInt8]
        do {
            let name = unsafe binding.associatedData(.itemKey) + sealed.withUnsafeBytes { unsafe Array($0) }
            digest = unsafe try HashFunction.sha256.digest(name.span.bytes)
        } catch {
            throw .unavailable(KeychainError(error, operation))
        }
        let now = itemKeyClock()
        let (kept, epoch) = state.withLock { state -> (OpenedItemKey?, Int) in
            // First of all: whether the class is usable now.
            guard state.isUsable(binding.key) else { return (nil, state.epoch) }
            return (state.itemKeys?.find(binding.item, digest, now: now), state.epoch)
        }
        guard let kept else {
            let opened = try openItemKey(sealed, suite, binding, format, operation)
            keep(opened, binding, digest, since: epoch)
            return opened
        }
        asked = false
        noteUse(of: binding.key.accessibility.availability)
        do { return try kept.copy() } catch { throw .unavailable(KeychainError(error, operation)) }
    }

    // MARK: - Private

    private func keep(_ opened: borrowing SecretBytes, _ binding: ItemBinding, _ digest: [UInt8], since epoch: Int) {
        // Without memory for it, the token opens it again the next time; memory that may be swapped out is none for it.
        guard let copy = try? opened.copy() else { return }
        let key = OpenedItemKey(copy)
        guard key.isLocked else { return }
        let now = itemKeyClock()
        state.withLock { state in
            // One that was opened before a lock does not outlive it.
            guard state.epoch == epoch, state.isUsable(binding.key) else { return }
            state.itemKeys?.keep(key, of: binding.item, under: binding.key, digest, now: now)
        }
    }
}

extension Vault.State {
    /// Whether items under a class key can be used now.
    fileprivate func isUsable(_ key: ClassKeyID) -> Bool {
        records[key].map { lock.allows($0.availability) } ?? false
    }

    /// Lets go of the item keys that the state does not allow.
    mutating func takeItemKeysOut() {
        let (lock, records) = (lock, records)
        itemKeys?.removeAll { key in records[key].map { !lock.allows($0.availability) } ?? true }
    }
}
