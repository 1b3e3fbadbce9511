// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): attributes that exist but are no API of iOS.
public import Foundation

/// The attribute `volm`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrVolume: CFString = "volm"

/// The attribute `addr`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrAddress: CFString = "addr"

/// The attribute `afps`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrAFPServerSignature: CFString = "afps"

/// The attribute `alis`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrAlias: CFString = "alis"

/// The attribute `priv`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrIsPrivate: CFString = "priv"

/// The attribute `modi`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrIsModifiable: CFString = "modi"

/// The attribute `crtr`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrKeyCreator: CFString = "crtr"

/// The attribute `sdat`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrStartDate: CFString = "sdat"

/// The attribute `edat`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrEndDate: CFString = "edat"

/// The attribute `sens`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens"

/// The attribute `asen`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrWasAlwaysSensitive: CFString = "asen"

/// The attribute `extr`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr"

/// The attribute `next`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrWasNeverExtractable: CFString = "next"

/// The attribute `snrc`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrCanSignRecover: CFString = "snrc"

/// The attribute `vyrc`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrCanVerifyRecover: CFString = "vyrc"

/// The attribute `scrp`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrScriptCode: CFString = "scrp"

/// The attribute `cusi`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrHasCustomIcon: CFString = "cusi"

/// The attribute `crlt`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrCRLType: CFString = "crlt"

/// The attribute `crle`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrCRLEncoding: CFString = "crle"

/// The attribute `tomb`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrTombstone: CFString = "tomb"

/// The attribute `musr`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrMultiUser: CFString = "musr"

/// The attribute `nleg`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrNoLegacy: CFString = "nleg"

/// The attribute `toid`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrTokenOID: CFString = "toid"

/// The attribute `UUID`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrUUID: CFString = "UUID"

/// The attribute `persistref`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = "persistref"

/// The attribute `sysb`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrSysBound: CFString = "sysb"

/// The attribute `sha1`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrSHA1: CFString = "sha1"

/// The attribute `dspk`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"

/// The attribute `pcss`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"

/// The attribute `pcsk`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"

/// The attribute `pcsi`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"

/// The attribute `binn`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecDataInetExtraNotes: CFString = "binn"

/// The attribute `bini`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecDataInetExtraHistory: CFString = "bini"

/// The attribute `bin0`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined0: CFString = "bin0"

/// The attribute `bin1`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined1: CFString = "bin1"

/// The attribute `bin2`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined2: CFString = "bin2"

/// The attribute `bin3`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined3: CFString = "bin3"

/// The attribute `applepay`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecKeyApplePayEnabled: CFString = "applepay"

/// The attribute `osbound`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecKeyOSBound: CFString = "osbound"

/// The attribute `sealedhashesbound`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecKeySealedHashesBound: CFString = "sealedhashesbound"

/// The attribute `toid`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrSecureEnclaveKeyBlob: CFString = "toid"

/// The attribute `ggrp`, which clients of iOS do not set.
@safe nonisolated(unsafe) public let kSecAttrSharingGroup: CFString = "ggrp"

/// The value that stands for no sharing group: the empty string.
@safe nonisolated(unsafe) public let kSecAttrSharingGroupNone: CFString = ""
