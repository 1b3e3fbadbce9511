// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecBase.h): status codes of file keychains, import and trust, which SecItem does not return.

/// Status -34: dsk full.
public let errSecDskFull: OSStatus = -34

/// Status -49: op wr.
public let errSecOpWr: OSStatus = -49

/// Status -61: wr perm.
public let errSecWrPerm: OSStatus = -61

/// Status -909: bad req.
public let errSecBadReq: OSStatus = -909

/// Status -4960: core foundation unknown.
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// Status -25240: ACL not simple.
public let errSecACLNotSimple: OSStatus = -25240

/// Status -25241: policy not found.
public let errSecPolicyNotFound: OSStatus = -25241

/// Status -25242: invalid trust setting.
public let errSecInvalidTrustSetting: OSStatus = -25242

/// Status -25243: no access for item.
public let errSecNoAccessForItem: OSStatus = -25243

/// Status -25244: invalid owner edit.
public let errSecInvalidOwnerEdit: OSStatus = -25244

/// Status -25245: trust not available.
public let errSecTrustNotAvailable: OSStatus = -25245

/// Status -25256: unsupported format.
public let errSecUnsupportedFormat: OSStatus = -25256

/// Status -25257: unknown format.
public let errSecUnknownFormat: OSStatus = -25257

/// Status -25258: key is sensitive.
public let errSecKeyIsSensitive: OSStatus = -25258

/// Status -25259: multiple priv keys.
public let errSecMultiplePrivKeys: OSStatus = -25259

/// Status -25260: passphrase required.
public let errSecPassphraseRequired: OSStatus = -25260

/// Status -25261: invalid password ref.
public let errSecInvalidPasswordRef: OSStatus = -25261

/// Status -25262: invalid trust settings.
public let errSecInvalidTrustSettings: OSStatus = -25262

/// Status -25263: no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263

/// Status -25264: pkcs12 verify failure.
public let errSecPkcs12VerifyFailure: OSStatus = -25264

/// Status -25294: no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294

/// Status -25295: invalid keychain.
public let errSecInvalidKeychain: OSStatus = -25295

/// Status -25296: duplicate keychain.
public let errSecDuplicateKeychain: OSStatus = -25296

/// Status -25297: duplicate callback.
public let errSecDuplicateCallback: OSStatus = -25297

/// Status -25298: invalid callback.
public let errSecInvalidCallback: OSStatus = -25298

/// Status -25301: buffer too small.
public let errSecBufferTooSmall: OSStatus = -25301

/// Status -25302: data too large.
public let errSecDataTooLarge: OSStatus = -25302

/// Status -25305: invalid search ref.
public let errSecInvalidSearchRef: OSStatus = -25305

/// Status -25307: no default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25307

/// Status -25309: read only attr.
public let errSecReadOnlyAttr: OSStatus = -25309

/// Status -25310: wrong sec version.
public let errSecWrongSecVersion: OSStatus = -25310

/// Status -25311: key size not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311

/// Status -25312: no storage module.
public let errSecNoStorageModule: OSStatus = -25312

/// Status -25313: no certificate module.
public let errSecNoCertificateModule: OSStatus = -25313

/// Status -25314: no policy module.
public let errSecNoPolicyModule: OSStatus = -25314

/// Status -25315: interaction required.
public let errSecInteractionRequired: OSStatus = -25315

/// Status -25316: data not available.
public let errSecDataNotAvailable: OSStatus = -25316

/// Status -25317: data not modifiable.
public let errSecDataNotModifiable: OSStatus = -25317

/// Status -25318: create chain failed.
public let errSecCreateChainFailed: OSStatus = -25318

/// Status -25319: invalid prefs domain.
public let errSecInvalidPrefsDomain: OSStatus = -25319

/// Status -25320: in dark wake.
public let errSecInDarkWake: OSStatus = -25320

/// Status -26267: not signer.
public let errSecNotSigner: OSStatus = -26267
