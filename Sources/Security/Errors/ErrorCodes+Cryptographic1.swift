// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecBase.h): cryptographic status codes, -67585 to -67743.

/// Status -67585: service not available.
public let errSecServiceNotAvailable: OSStatus = -67585

/// Status -67586: insufficient client ID.
public let errSecInsufficientClientID: OSStatus = -67586

/// Status -67587: device reset.
public let errSecDeviceReset: OSStatus = -67587

/// Status -67588: device failed.
public let errSecDeviceFailed: OSStatus = -67588

/// Status -67589: apple add app ACL subject.
public let errSecAppleAddAppACLSubject: OSStatus = -67589

/// Status -67590: apple public key incomplete.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590

/// Status -67591: apple signature mismatch.
public let errSecAppleSignatureMismatch: OSStatus = -67591

/// Status -67592: apple invalid key start date.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592

/// Status -67593: apple invalid key end date.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593

/// Status -67594: conversion error.
public let errSecConversionError: OSStatus = -67594

/// Status -67595: apple SSLv2 rollback.
public let errSecAppleSSLv2Rollback: OSStatus = -67595

/// Status -67596: quota exceeded.
public let errSecQuotaExceeded: OSStatus = -67596

/// Status -67597: file too big.
public let errSecFileTooBig: OSStatus = -67597

/// Status -67598: invalid database blob.
public let errSecInvalidDatabaseBlob: OSStatus = -67598

/// Status -67599: invalid key blob.
public let errSecInvalidKeyBlob: OSStatus = -67599

/// Status -67600: incompatible database blob.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600

/// Status -67601: incompatible key blob.
public let errSecIncompatibleKeyBlob: OSStatus = -67601

/// Status -67602: host name mismatch.
public let errSecHostNameMismatch: OSStatus = -67602

/// Status -67603: unknown critical extension flag.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603

/// Status -67604: no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604

/// Status -67605: no basic constraints CA.
public let errSecNoBasicConstraintsCA: OSStatus = -67605

/// Status -67606: invalid authority key ID.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606

/// Status -67607: invalid subject key ID.
public let errSecInvalidSubjectKeyID: OSStatus = -67607

/// Status -67608: invalid key usage for policy.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608

/// Status -67609: invalid extended key usage.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609

/// Status -67610: invalid ID linkage.
public let errSecInvalidIDLinkage: OSStatus = -67610

/// Status -67611: path length constraint exceeded.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611

/// Status -67612: invalid root.
public let errSecInvalidRoot: OSStatus = -67612

/// Status -67613: CRL expired.
public let errSecCRLExpired: OSStatus = -67613

/// Status -67614: CRL not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67614

/// Status -67615: CRL not found.
public let errSecCRLNotFound: OSStatus = -67615

/// Status -67616: CRL server down.
public let errSecCRLServerDown: OSStatus = -67616

/// Status -67617: CRL bad URI.
public let errSecCRLBadURI: OSStatus = -67617

/// Status -67618: unknown cert extension.
public let errSecUnknownCertExtension: OSStatus = -67618

/// Status -67619: unknown CRL extension.
public let errSecUnknownCRLExtension: OSStatus = -67619

/// Status -67620: CRL not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620

/// Status -67621: CRL policy failed.
public let errSecCRLPolicyFailed: OSStatus = -67621

/// Status -67622: ID P failure.
public let errSecIDPFailure: OSStatus = -67622

/// Status -67623: SMIME email addresses not found.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623

/// Status -67624: SMIME bad extended key usage.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624

/// Status -67625: SMIME bad key usage.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625

/// Status -67626: SMIME key usage not critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626

/// Status -67627: SMIME no email address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627

/// Status -67628: SMIME subj alt name not critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628

/// Status -67629: SSL bad extended key usage.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629

/// Status -67630: OCSP bad response.
public let errSecOCSPBadResponse: OSStatus = -67630

/// Status -67631: OCSP bad request.
public let errSecOCSPBadRequest: OSStatus = -67631

/// Status -67632: OCSP unavailable.
public let errSecOCSPUnavailable: OSStatus = -67632

/// Status -67633: OCSP status unrecognized.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633

/// Status -67634: end of data.
public let errSecEndOfData: OSStatus = -67634

/// Status -67635: incomplete cert revocation check.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635

/// Status -67636: network failure.
public let errSecNetworkFailure: OSStatus = -67636

/// Status -67637: OCSP not trusted to anchor.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637

/// Status -67638: record modified.
public let errSecRecordModified: OSStatus = -67638

/// Status -67639: OCSP signature error.
public let errSecOCSPSignatureError: OSStatus = -67639

/// Status -67640: OCSP no signer.
public let errSecOCSPNoSigner: OSStatus = -67640

/// Status -67641: OCSP responder malformed req.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641

/// Status -67642: OCSP responder internal error.
public let errSecOCSPResponderInternalError: OSStatus = -67642

/// Status -67643: OCSP responder try later.
public let errSecOCSPResponderTryLater: OSStatus = -67643

/// Status -67644: OCSP responder signature required.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644

/// Status -67645: OCSP responder unauthorized.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645

/// Status -67646: OCSP response nonce mismatch.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646

/// Status -67647: code signing bad cert chain length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647

/// Status -67648: code signing no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648

/// Status -67649: code signing bad path length constraint.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649

/// Status -67650: code signing no extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650

/// Status -67651: code signing development.
public let errSecCodeSigningDevelopment: OSStatus = -67651

/// Status -67652: resource sign bad cert chain length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652

/// Status -67653: resource sign bad ext key usage.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653

/// Status -67654: trust setting deny.
public let errSecTrustSettingDeny: OSStatus = -67654

/// Status -67655: invalid subject name.
public let errSecInvalidSubjectName: OSStatus = -67655

/// Status -67656: unknown qualified cert statement.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656

/// Status -67657: MobileMe request queued.
public let errSecMobileMeRequestQueued: OSStatus = -67657

/// Status -67658: MobileMe request redirected.
public let errSecMobileMeRequestRedirected: OSStatus = -67658

/// Status -67659: MobileMe server error.
public let errSecMobileMeServerError: OSStatus = -67659

/// Status -67660: MobileMe server not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660

/// Status -67661: MobileMe server already exists.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661

/// Status -67662: MobileMe server service err.
public let errSecMobileMeServerServiceErr: OSStatus = -67662

/// Status -67663: MobileMe request already pending.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663

/// Status -67664: MobileMe no request pending.
public let errSecMobileMeNoRequestPending: OSStatus = -67664

/// Status -67665: MobileMe CSR verify failure.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665

/// Status -67666: MobileMe failed consistency check.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666

/// Status -67667: not initialized.
public let errSecNotInitialized: OSStatus = -67667

/// Status -67668: invalid handle usage.
public let errSecInvalidHandleUsage: OSStatus = -67668

/// Status -67669: PVC referent not found.
public let errSecPVCReferentNotFound: OSStatus = -67669

/// Status -67670: function integrity fail.
public let errSecFunctionIntegrityFail: OSStatus = -67670

/// Status -67671: internal error.
public let errSecInternalError: OSStatus = -67671

/// Status -67672: memory error.
public let errSecMemoryError: OSStatus = -67672

/// Status -67673: invalid data.
public let errSecInvalidData: OSStatus = -67673

/// Status -67674: MDS error.
public let errSecMDSError: OSStatus = -67674

/// Status -67675: invalid pointer.
public let errSecInvalidPointer: OSStatus = -67675

/// Status -67676: self check failed.
public let errSecSelfCheckFailed: OSStatus = -67676

/// Status -67677: function failed.
public let errSecFunctionFailed: OSStatus = -67677

/// Status -67678: module manifest verify failed.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678

/// Status -67679: invalid GUID.
public let errSecInvalidGUID: OSStatus = -67679

/// Status -67680: invalid handle.
public let errSecInvalidHandle: OSStatus = -67680

/// Status -67681: invalid DB list.
public let errSecInvalidDBList: OSStatus = -67681

/// Status -67682: invalid passthrough ID.
public let errSecInvalidPassthroughID: OSStatus = -67682

/// Status -67683: invalid network address.
public let errSecInvalidNetworkAddress: OSStatus = -67683

/// Status -67684: CRL already signed.
public let errSecCRLAlreadySigned: OSStatus = -67684

/// Status -67685: invalid number of fields.
public let errSecInvalidNumberOfFields: OSStatus = -67685

/// Status -67686: verification failure.
public let errSecVerificationFailure: OSStatus = -67686

/// Status -67687: unknown tag.
public let errSecUnknownTag: OSStatus = -67687

/// Status -67688: invalid signature.
public let errSecInvalidSignature: OSStatus = -67688

/// Status -67689: invalid name.
public let errSecInvalidName: OSStatus = -67689

/// Status -67690: invalid certificate ref.
public let errSecInvalidCertificateRef: OSStatus = -67690

/// Status -67691: invalid certificate group.
public let errSecInvalidCertificateGroup: OSStatus = -67691

/// Status -67692: tag not found.
public let errSecTagNotFound: OSStatus = -67692

/// Status -67693: invalid query.
public let errSecInvalidQuery: OSStatus = -67693

/// Status -67694: invalid value.
public let errSecInvalidValue: OSStatus = -67694

/// Status -67695: callback failed.
public let errSecCallbackFailed: OSStatus = -67695

/// Status -67696: ACL delete failed.
public let errSecACLDeleteFailed: OSStatus = -67696

/// Status -67697: ACL replace failed.
public let errSecACLReplaceFailed: OSStatus = -67697

/// Status -67698: ACL add failed.
public let errSecACLAddFailed: OSStatus = -67698

/// Status -67699: ACL change failed.
public let errSecACLChangeFailed: OSStatus = -67699

/// Status -67700: invalid access credentials.
public let errSecInvalidAccessCredentials: OSStatus = -67700

/// Status -67701: invalid record.
public let errSecInvalidRecord: OSStatus = -67701

/// Status -67702: invalid ACL.
public let errSecInvalidACL: OSStatus = -67702

/// Status -67703: invalid sample value.
public let errSecInvalidSampleValue: OSStatus = -67703

/// Status -67704: incompatible version.
public let errSecIncompatibleVersion: OSStatus = -67704

/// Status -67705: privilege not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67705

/// Status -67706: invalid scope.
public let errSecInvalidScope: OSStatus = -67706

/// Status -67707: PVC already configured.
public let errSecPVCAlreadyConfigured: OSStatus = -67707

/// Status -67708: invalid PVC.
public let errSecInvalidPVC: OSStatus = -67708

/// Status -67709: EMM load failed.
public let errSecEMMLoadFailed: OSStatus = -67709

/// Status -67710: EMM unload failed.
public let errSecEMMUnloadFailed: OSStatus = -67710

/// Status -67711: addin load failed.
public let errSecAddinLoadFailed: OSStatus = -67711

/// Status -67712: invalid key ref.
public let errSecInvalidKeyRef: OSStatus = -67712

/// Status -67713: invalid key hierarchy.
public let errSecInvalidKeyHierarchy: OSStatus = -67713

/// Status -67714: addin unload failed.
public let errSecAddinUnloadFailed: OSStatus = -67714

/// Status -67715: library reference not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67715

/// Status -67716: invalid addin function table.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716

/// Status -67717: invalid service mask.
public let errSecInvalidServiceMask: OSStatus = -67717

/// Status -67718: module not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718

/// Status -67719: invalid sub service ID.
public let errSecInvalidSubServiceID: OSStatus = -67719

/// Status -67720: attribute not in context.
public let errSecAttributeNotInContext: OSStatus = -67720

/// Status -67721: module manager initialize failed.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721

/// Status -67722: module manager not found.
public let errSecModuleManagerNotFound: OSStatus = -67722

/// Status -67723: event notification callback not found.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723

/// Status -67724: input length error.
public let errSecInputLengthError: OSStatus = -67724

/// Status -67725: output length error.
public let errSecOutputLengthError: OSStatus = -67725

/// Status -67726: privilege not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67726

/// Status -67727: device error.
public let errSecDeviceError: OSStatus = -67727

/// Status -67728: attach handle busy.
public let errSecAttachHandleBusy: OSStatus = -67728

/// Status -67729: not logged in.
public let errSecNotLoggedIn: OSStatus = -67729

/// Status -67730: algorithm mismatch.
public let errSecAlgorithmMismatch: OSStatus = -67730

/// Status -67731: key usage incorrect.
public let errSecKeyUsageIncorrect: OSStatus = -67731

/// Status -67732: key blob type incorrect.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732

/// Status -67733: key header inconsistent.
public let errSecKeyHeaderInconsistent: OSStatus = -67733

/// Status -67734: unsupported key format.
public let errSecUnsupportedKeyFormat: OSStatus = -67734

/// Status -67735: unsupported key size.
public let errSecUnsupportedKeySize: OSStatus = -67735

/// Status -67736: invalid key usage mask.
public let errSecInvalidKeyUsageMask: OSStatus = -67736

/// Status -67737: unsupported key usage mask.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737

/// Status -67738: invalid key attribute mask.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738

/// Status -67739: unsupported key attribute mask.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739

/// Status -67740: invalid key label.
public let errSecInvalidKeyLabel: OSStatus = -67740

/// Status -67741: unsupported key label.
public let errSecUnsupportedKeyLabel: OSStatus = -67741

/// Status -67742: invalid key format.
public let errSecInvalidKeyFormat: OSStatus = -67742

/// Status -67743: unsupported vector of buffers.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
