// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// A class key that works now: objects on the token, or a key that the host holds.
///
/// Objects made for it live as long as their session, which stays open for it alone, so the key is gone when the last user
/// lets go. The session is touched only to make and to destroy them; sealing and opening go through the token's pool.
final class ClassKey: Sendable {
    let id: ClassKeyID
    /// What its blobs are marked with.
    let suite: Suite
    /// Seals and opens.
    let sealing: any SealingKey
    /// Every object of the token that does its work, or that one of these was copied from: after a lock none may work.
    let objects: [KeyObject]
    private let session: Session?

    /// A key of objects on the token.
    ///
    /// - Parameter objects: with the session that those live in which were made for it.
    init(
        _ id: ClassKeyID, _ suite: Suite, _ sealing: any SealingKey, objects: [KeyObject],
        in session: consuming Session
    ) {
        self.id = id
        self.suite = suite
        self.sealing = sealing
        self.objects = objects
        self.session = consume session
    }

    /// A key that the host holds.
    init(_ id: ClassKeyID, held key: HostSealing) {
        self.id = id
        suite = .aesGCM
        sealing = key
        objects = []
        session = nil
    }

    /// Whether its session keeps a security officer from logging in.
    var hindersSecurityOfficer: Bool {
        switch session {
        case .some(let session): !session.isReadWrite
        case .none: false
        }
    }

    /// Whether its session ended with a new start of the module.
    var isDead: Bool {
        switch session {
        case .some(let session): !session.isOfThisStart
        case .none: false
        }
    }

    /// Destroys the objects that were made for it at once, whoever else still holds the key; their calls then fail on the
    /// token.
    ///
    /// One that the host holds is wiped with its last user.
    func destroy() throws(PKCS11Error) {
        switch session {
        case .some(let session):
            for object in objects where object.isMade { try session.destroyObject(object.handle) }
        case .none: break
        }
    }
}

/// An object of a class key on the token.
struct KeyObject: Hashable, Sendable {
    let handle: ObjectHandle
    let kind: KeyObjectKind
    /// Whether it was made for one use of the keychain: a session object.
    let isMade: Bool
}
