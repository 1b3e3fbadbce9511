// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// A class key that works now: an object on the token, in a session that stays open for it alone.
///
/// The object lives as long as its session, so the key is gone when the last user lets go. The session is touched
/// only to make and to destroy the object; sealing and opening go through the token's pool.
final class ClassKey: Sendable {
    let id: ClassKeyID
    let handle: ObjectHandle
    /// The token's object that it was copied from, if it is a copy.
    let original: ObjectHandle?
    private let session: Session

    init(_ id: ClassKeyID, handle: ObjectHandle, copyOf original: ObjectHandle? = nil, in session: consuming Session) {
        self.id = id
        self.handle = handle
        self.original = original
        self.session = session
    }

    /// Whether its session keeps a security officer from logging in.
    var hindersSecurityOfficer: Bool { !session.isReadWrite }

    /// Destroys the object at once, whoever else still holds the key; their calls then fail on the token.
    func destroy() throws(PKCS11Error) {
        try session.destroyObject(handle)
    }
}
