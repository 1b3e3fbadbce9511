// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Is told of each access to a keychain.
package protocol AccessObserver: AnyObject, Sendable {
    /// Comes before an access.
    ///
    /// - Throws: what is then thrown instead of doing it, because it could not be recorded.
    func willAccess() throws(KeychainError)

    /// Comes after an access and before its answer.
    ///
    /// - Throws: what is then thrown instead of the answer.
    func didAccess(_ event: AccessEvent) throws(KeychainError)
}

/// The items that an operation touches, as it goes.
///
/// Belongs to the thread of the operation; an operation that nobody observes has none.
final class AccessTrace {
    private(set) var items: [ItemUUID] = []
    private(set) var itemCount = 0
    private(set) var scopes: [[UInt8]] = []
    private(set) var givesValue = false

    /// Bytes of a compartment's digest that are recorded.
    static let digestSize = 16

    /// Takes note of an item.
    func touch(_ item: ItemUUID, in scope: Scope) {
        itemCount += 1
        guard items.count < AccessEvent.namedLimit else { return }
        items.append(item)
        name(scope.digest)
    }

    /// Takes note of a compartment.
    func name(_ digest: [UInt8]) {
        let digest = Array(digest.prefix(Self.digestSize))
        guard scopes.count < AccessEvent.namedLimit, !scopes.contains(digest) else { return }
        scopes.append(digest)
    }

    /// Takes note that a value goes out.
    func giveValue() {
        givesValue = true
    }
}
