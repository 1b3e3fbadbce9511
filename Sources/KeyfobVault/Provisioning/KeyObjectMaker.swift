// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobPKCS11

/// Makes the objects of class keys on the token.
enum KeyObjectMaker {
    /// An object, and of a pair its public half; of a pair no object of the public half is left.
    static func make(
        _ kind: KeyObjectKind, _ suite: Suite, _ name: KeyName, isPrivate: Bool, onToken: Bool, on token: Token,
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
        let pair = try makePair(kind, name, template, onToken: onToken, on: token, in: session)
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
    ///
    /// What worked only without denying uses is remembered: tpm2-pkcs11 leaves a key loaded in the TPM with each refusal.
    private static func makePair(
        _ kind: KeyObjectKind, _ name: KeyName, _ template: Template, onToken: Bool, on token: Token,
        in session: borrowing Session
    ) throws(SealError) -> (publicKey: ObjectHandle, privateKey: ObjectHandle) {
        let wanted = kind == .rsa ? SuiteTemplates.rsaPublicKey(name) : SuiteTemplates.p256PublicKey(name)
        var beside = wanted.without(.token)
        beside.set(.token, true)
        let wide = Way(SuiteTemplates.unbounded(beside), SuiteTemplates.unbounded(template), isWide: true)
        let ways: [Way] =
            switch (onToken, kind) {
            case (false, _): [Way(wanted, template)]
            case (true, .rsa): token.makesWidePairs ? [wide] : [Way(wanted, template), Way(beside, template), wide]
            case (true, _): [Way(wanted, template), Way(beside, template)]
            }
        var first: PKCS11Error?
        for way in ways {
            do throws(PKCS11Error) {
                let pair = try session.generateKeyPair(
                    kind.generation, publicKey: way.publicKey, privateKey: way.privateKey)
                if way.isWide { token.noteMakesWidePairs() }
                return pair
            } catch {
                // The first refusal is the one to tell if all are refused.
                first = first ?? error
                if error.returnValue?.endsAllSessions == true { break }
            }
        }
        throw SealError(first ?? PKCS11Error(.malformed("no way to make a pair")))
    }

    /// The templates of a pair.
    private struct Way {
        let publicKey: Template
        let privateKey: Template
        /// Whether they deny no use.
        let isWide: Bool

        init(_ publicKey: Template, _ privateKey: Template, isWide: Bool = false) {
            self.publicKey = publicKey
            self.privateKey = privateKey
            self.isWide = isWide
        }
    }
}
