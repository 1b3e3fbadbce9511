// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobPKCS11

/// Makes the objects of class keys on the token.
enum KeyObjectMaker {
    /// An object, and of a pair its public half; of a pair no object of the public half is left.
    static func make(
        _ kind: KeyObjectKind, _ suite: Suite, _ name: KeyName, isPrivate: Bool, onToken: Bool,
        in session: borrowing Session
    ) throws(SealError) -> (handle: ObjectHandle, publicHalf: PublicHalf?) {
        let template = kind.template(name, isPrivate: isPrivate, onToken: onToken)
        guard suite.isAsymmetric else {
            return (
                try SealError.token { () throws(PKCS11Error) in
                    try session.generateKey(kind.generation, template)
                }, nil
            )
        }
        let pair = try makePair(kind, name, template, onToken: onToken, in: session)
        let half: PublicHalf?
        do throws(SealError) {
            half = try PublicHalf(of: pair.publicKey, suite, in: session)
            try SealError.token { () throws(PKCS11Error) in try session.destroyObject(pair.publicKey) }
        } catch {
            // A pair that is not known whole is of no use; the first error is the one to tell.
            try? session.destroyObject(pair.privateKey)
            throw error
        }
        return (pair.privateKey, half)
    }

    /// The public half is a session object where the token makes such pairs, else it goes to the token for a moment.
    private static func makePair(
        _ kind: KeyObjectKind, _ name: KeyName, _ template: Template, onToken: Bool, in session: borrowing Session
    ) throws(SealError) -> (publicKey: ObjectHandle, privateKey: ObjectHandle) {
        let wanted = kind == .rsa ? SuiteTemplates.rsaPublicKey(name) : SuiteTemplates.p256PublicKey(name)
        do throws(PKCS11Error) {
            return try session.generateKeyPair(kind.generation, publicKey: wanted, privateKey: template)
        } catch {
            guard onToken, error.returnValue?.endsAllSessions != true else { throw SealError(error) }
            var onToken = wanted.without(.token)
            onToken.set(.token, true)
            // The first refusal is the one to tell if this is refused as well.
            do throws(PKCS11Error) {
                return try session.generateKeyPair(kind.generation, publicKey: onToken, privateKey: template)
            } catch _ {
                throw SealError(error)
            }
        }
    }
}
