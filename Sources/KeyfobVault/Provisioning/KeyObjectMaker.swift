// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobPKCS11

/// Makes the objects of class keys on the token.
enum KeyObjectMaker {
    /// An object that was made.
    struct Made {
        let handle: ObjectHandle
        /// Of a pair.
        let publicHalf: PublicHalf?
        /// What nobody needs any more: of a pair the object of the public half.
        ///
        /// To be destroyed when no more objects are
        /// made: tpm2-pkcs11 gives two objects one handle after the object with the lowest was destroyed.
        let waste: ObjectHandle?
    }

    static func make(
        _ kind: KeyObjectKind, _ suite: Suite, _ name: KeyName, isPrivate: Bool, onToken: Bool, on token: Token,
        in session: borrowing Session
    ) throws(SealError) -> Made {
        let template = kind.template(name, isPrivate: isPrivate, onToken: onToken)
        guard suite.isAsymmetric else {
            let handle = try SealError.token { () throws(PKCS11Error) in
                try session.generateKey(kind.generation, template)
            }
            return Made(handle: handle, publicHalf: nil, waste: nil)
        }
        let pair = try makePair(kind, name, template, onToken: onToken, on: token, in: session)
        // Not destroyed if it fails: it would be another's key that goes.
        try requireOwn(pair, name, in: session)
        do throws(SealError) {
            let half = try PublicHalf(of: pair.publicKey, suite, in: session)
            return Made(handle: pair.privateKey, publicHalf: half, waste: pair.publicKey)
        } catch {
            // A pair that is not known whole is of no use; the first error is the one to tell.
            try? session.destroyObject(pair.publicKey)
            try? session.destroyObject(pair.privateKey)
            throw error
        }
    }

    /// Throws unless the handles of a pair that was made just now name its halves.
    private static func requireOwn(
        _ pair: (publicKey: ObjectHandle, privateKey: ObjectHandle), _ name: KeyName, in session: borrowing Session
    ) throws(SealError) {
        let isOwn = try SealError.token { () throws(PKCS11Error) in
            guard pair.publicKey != pair.privateKey else { return false }
            for (handle, objectClass) in [(pair.publicKey, ObjectClass.publicKey), (pair.privateKey, .privateKey)] {
                guard try session.ulong(of: handle, .class) == objectClass.rawValue,
                    try session.bytes(of: handle, .id) == name.id
                else { return false }
            }
            return true
        }
        guard isOwn else { throw .token(PKCS11Error(.malformed("a handle names two objects"))) }
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
