// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

/// A mechanism and its parameter.
package struct Mechanism: Hashable, Sendable {
    /// What the token is to do.
    package let type: MechanismType
    private let parameter: Parameter

    private enum Parameter: Hashable, Sendable {
        case none
        case bytes([UInt8])
        case gcm(iv: [UInt8], aad: [UInt8], tagBits: Int, GCMVariant)
        case oaep(hash: UInt, mgf: UInt)
        case ecdh(point: [UInt8])
    }

    /// A mechanism without a parameter.
    package init(_ type: MechanismType) {
        self.init(type, .none)
    }

    private init(_ type: MechanismType, _ parameter: Parameter) {
        self.type = type
        self.parameter = parameter
    }

    /// `CKM_AES_KEY_GEN`; the template gives `CKA_VALUE_LEN` in bytes.
    package static let aesKeyGeneration = Self(.aesKeyGeneration)
    /// `CKM_GENERIC_SECRET_KEY_GEN`; the template gives `CKA_VALUE_LEN` in bytes.
    package static let genericSecretKeyGeneration = Self(.genericSecretKeyGeneration)
    /// `CKM_RSA_PKCS_KEY_PAIR_GEN`; the public template gives `CKA_MODULUS_BITS`.
    package static let rsaKeyPairGeneration = Self(.rsaPKCSKeyPairGeneration)
    /// `CKM_EC_KEY_PAIR_GEN`; the public template gives `CKA_EC_PARAMS`.
    package static let ecKeyPairGeneration = Self(.ecKeyPairGeneration)
    /// `CKM_AES_KEY_WRAP_PAD` with the default IV; RFC 5649 on SoftHSM, an older padding on NSS.
    package static let aesKeyWrapPad = Self(.aesKeyWrapPad)
    /// `CKM_AES_KEY_WRAP_KWP` with the default IV (RFC 5649).
    package static let aesKeyWrapKWP = Self(.aesKeyWrapKWP)
    /// `CKM_SHA256_HMAC`.
    package static let sha256HMAC = Self(.sha256HMAC)

    /// `CKM_AES_GCM` (PKCS #11 v3.1 §6.13.3).
    ///
    /// - Parameters:
    ///   - iv: chosen by us, 12 bytes, never used twice with one key.
    ///   - aad: associated data, may be empty.
    ///   - tagBits: 128, except where foreign data is opened.
    ///   - variant: what the module reads.
    package static func aesGCM(
        iv: [UInt8], aad: [UInt8], tagBits: Int = 128, variant: GCMVariant = .withIVBits
    ) -> Mechanism {
        Mechanism(.aesGCM, .gcm(iv: iv, aad: aad, tagBits: tagBits, variant))
    }

    /// `CKM_AES_CBC` with a 16-byte IV, for whole blocks: no padding and no integrity, so never without a MAC.
    package static func aesCBC(iv: [UInt8]) -> Mechanism {
        Mechanism(.aesCBC, .bytes(iv))
    }

    /// `CKM_AES_CBC_PAD` with a 16-byte IV: no integrity, so never alone.
    package static func aesCBCPad(iv: [UInt8]) -> Mechanism {
        Mechanism(.aesCBCPad, .bytes(iv))
    }

    /// The hash of RSA-OAEP and of its mask function.
    package enum OAEPHash: Hashable, Sendable {
        /// The only one that every token with OAEP has.
        case sha1
        case sha256
    }

    /// `CKM_RSA_PKCS_OAEP` without a label (PKCS #11 v3.1 §6.1.8).
    package static func rsaOAEP(_ hash: OAEPHash) -> Mechanism {
        switch hash {
        case .sha1: Mechanism(.rsaOAEP, .oaep(hash: MechanismType.sha1.rawValue, mgf: 1))
        case .sha256: Mechanism(.rsaOAEP, .oaep(hash: MechanismType.sha256.rawValue, mgf: 2))
        }
    }

    /// `CKM_ECDH1_DERIVE` that gives the shared secret itself (`CKD_NULL`, PKCS #11 v3.1 §6.3.20).
    ///
    /// - Parameter point: the peer's, of a form that the token takes (`P256Point`).
    package static func ecdh1Derive(point: [UInt8]) -> Mechanism {
        Mechanism(.ecdh1Derive, .ecdh(point: point))
    }

    /// Lends the mechanism to a C function.
    func withMechanism<R>(_ body: (UnsafeMutablePointer<CK_MECHANISM>) -> R) -> R {
        switch parameter {
        case .none:
            var mechanism = unsafe CK_MECHANISM(mechanism: type.rawValue, pParameter: nil, ulParameterLen: 0)
            return unsafe body(&mechanism)
        case .bytes(var bytes):
            return unsafe bytes.withUnsafeMutableBytes { bytes in
                var mechanism = unsafe CK_MECHANISM(
                    mechanism: type.rawValue, pParameter: bytes.baseAddress, ulParameterLen: UInt(bytes.count))
                return unsafe body(&mechanism)
            }
        case .gcm(let iv, let aad, let tagBits, let variant):
            return unsafe iv.withUnsafeBytes { iv in
                unsafe aad.withUnsafeBytes { aad in
                    unsafe withGCMMechanism(iv: iv, aad: aad, tagBits: tagBits, variant, body)
                }
            }
        case .oaep(let hash, let mgf):
            var parameters = unsafe CK_RSA_PKCS_OAEP_PARAMS(
                hashAlg: hash, mgf: mgf, source: 1, pSourceData: nil, ulSourceDataLen: 0)
            let size = unsafe UInt(MemoryLayout<CK_RSA_PKCS_OAEP_PARAMS>.size)
            return unsafe withUnsafeMutablePointer(to: &parameters) { parameters in
                var mechanism = unsafe CK_MECHANISM(
                    mechanism: type.rawValue, pParameter: parameters, ulParameterLen: size)
                return unsafe body(&mechanism)
            }
        case .ecdh(var point):
            return unsafe point.withUnsafeMutableBufferPointer { point in
                // CKD_NULL
                var parameters = unsafe CK_ECDH1_DERIVE_PARAMS(
                    kdf: 1, ulSharedDataLen: 0, pSharedData: nil, ulPublicDataLen: UInt(point.count),
                    pPublicData: point.baseAddress)
                let size = unsafe UInt(MemoryLayout<CK_ECDH1_DERIVE_PARAMS>.size)
                return unsafe withUnsafeMutablePointer(to: &parameters) { parameters in
                    var mechanism = unsafe CK_MECHANISM(
                        mechanism: type.rawValue, pParameter: parameters, ulParameterLen: size)
                    return unsafe body(&mechanism)
                }
            }
        }
    }
}

/// The words of `CK_GCM_PARAMS`: all its fields are as wide as one.
///
/// ```
///   withIVBits      pIv | ulIvLen | ulIvBits | pAAD      | ulAADLen  | ulTagBits
///   withoutIVBits   pIv | ulIvLen | pAAD     | ulAADLen  | ulTagBits |
/// ```
struct GCMParameters {
    var words: (UInt, UInt, UInt, UInt, UInt, UInt)
    /// How many of the words the module is to read.
    let count: Int

    init(iv: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer, tagBits: Int, _ variant: GCMVariant) {
        let ivWord = UInt(bitPattern: iv.baseAddress)
        let aadWord = unsafe aad.isEmpty ? 0 : UInt(bitPattern: aad.baseAddress)
        let ivCount = UInt(iv.count)
        let aadCount = UInt(aad.count)
        switch variant {
        case .withIVBits:
            words = (ivWord, ivCount, ivCount * 8, aadWord, aadCount, UInt(tagBits))
            count = 6
        case .withoutIVBits:
            words = (ivWord, ivCount, aadWord, aadCount, UInt(tagBits), 0)
            count = 5
        }
    }
}

/// Lends `CKM_AES_GCM` to a C function without allocating.
func withGCMMechanism<R>(
    iv: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer, tagBits: Int, _ variant: GCMVariant,
    _ body: (UnsafeMutablePointer<CK_MECHANISM>) -> R
) -> R {
    var parameters = unsafe GCMParameters(iv: iv, aad: aad, tagBits: tagBits, variant)
    let size = UInt(parameters.count * MemoryLayout<UInt>.size)
    return unsafe withUnsafeMutableBytes(of: &parameters.words) { words in
        var mechanism = unsafe CK_MECHANISM(
            mechanism: MechanismType.aesGCM.rawValue, pParameter: words.baseAddress, ulParameterLen: size)
        return unsafe body(&mechanism)
    }
}
