// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): the attributes of items.
public import Foundation

/// The attribute `pdmn`.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"

/// The attribute `accc`.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"

/// The attribute `agrp`.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"

/// The attribute `cdat`.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"

/// The attribute `mdat`.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"

/// The attribute `desc`.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"

/// The attribute `icmt`.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"

/// The attribute `crtr`.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"

/// The attribute `type`.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"

/// The attribute `labl`.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"

/// The attribute `invi`.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"

/// The attribute `nega`.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"

/// The attribute `acct`.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"

/// The attribute `svce`.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"

/// The attribute `gena`.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"

/// The attribute `sdmn`.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"

/// The attribute `srvr`.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"

/// The attribute `ptcl`.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"

/// The attribute `atyp`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"

/// The attribute `port`.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"

/// The attribute `path`.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"

/// The attribute `subj`.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"

/// The attribute `issr`.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"

/// The attribute `slnr`.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"

/// The attribute `skid`.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"

/// The attribute `pkhh`.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"

/// The attribute `ctyp`.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"

/// The attribute `cenc`.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"

/// The attribute `kcls`.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"

/// The attribute `klbl`.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"

/// The attribute `perm`.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"

/// The attribute `atag`.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"

/// The attribute `type`.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"

/// The attribute `bsiz`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"

/// The attribute `esiz`.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"

/// The attribute `encr`.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr"

/// The attribute `decr`.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr"

/// The attribute `drve`.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve"

/// The attribute `sign`.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign"

/// The attribute `vrfy`.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy"

/// The attribute `wrap`.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap"

/// The attribute `unwp`.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp"

/// The attribute `vwht`.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht"

/// The attribute `tkid`.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"

/// The attribute `sync`.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"
