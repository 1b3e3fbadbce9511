// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecBase.h): cryptographic status codes, -67744 to -67903.

/// Status -67744: invalid input vector.
public let errSecInvalidInputVector: OSStatus = -67744

/// Status -67745: invalid output vector.
public let errSecInvalidOutputVector: OSStatus = -67745

/// Status -67746: invalid context.
public let errSecInvalidContext: OSStatus = -67746

/// Status -67747: invalid algorithm.
public let errSecInvalidAlgorithm: OSStatus = -67747

/// Status -67748: invalid attribute key.
public let errSecInvalidAttributeKey: OSStatus = -67748

/// Status -67749: missing attribute key.
public let errSecMissingAttributeKey: OSStatus = -67749

/// Status -67750: invalid attribute init vector.
public let errSecInvalidAttributeInitVector: OSStatus = -67750

/// Status -67751: missing attribute init vector.
public let errSecMissingAttributeInitVector: OSStatus = -67751

/// Status -67752: invalid attribute salt.
public let errSecInvalidAttributeSalt: OSStatus = -67752

/// Status -67753: missing attribute salt.
public let errSecMissingAttributeSalt: OSStatus = -67753

/// Status -67754: invalid attribute padding.
public let errSecInvalidAttributePadding: OSStatus = -67754

/// Status -67755: missing attribute padding.
public let errSecMissingAttributePadding: OSStatus = -67755

/// Status -67756: invalid attribute random.
public let errSecInvalidAttributeRandom: OSStatus = -67756

/// Status -67757: missing attribute random.
public let errSecMissingAttributeRandom: OSStatus = -67757

/// Status -67758: invalid attribute seed.
public let errSecInvalidAttributeSeed: OSStatus = -67758

/// Status -67759: missing attribute seed.
public let errSecMissingAttributeSeed: OSStatus = -67759

/// Status -67760: invalid attribute passphrase.
public let errSecInvalidAttributePassphrase: OSStatus = -67760

/// Status -67761: missing attribute passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67761

/// Status -67762: invalid attribute key length.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762

/// Status -67763: missing attribute key length.
public let errSecMissingAttributeKeyLength: OSStatus = -67763

/// Status -67764: invalid attribute block size.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764

/// Status -67765: missing attribute block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67765

/// Status -67766: invalid attribute output size.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766

/// Status -67767: missing attribute output size.
public let errSecMissingAttributeOutputSize: OSStatus = -67767

/// Status -67768: invalid attribute rounds.
public let errSecInvalidAttributeRounds: OSStatus = -67768

/// Status -67769: missing attribute rounds.
public let errSecMissingAttributeRounds: OSStatus = -67769

/// Status -67770: invalid algorithm parms.
public let errSecInvalidAlgorithmParms: OSStatus = -67770

/// Status -67771: missing algorithm parms.
public let errSecMissingAlgorithmParms: OSStatus = -67771

/// Status -67772: invalid attribute label.
public let errSecInvalidAttributeLabel: OSStatus = -67772

/// Status -67773: missing attribute label.
public let errSecMissingAttributeLabel: OSStatus = -67773

/// Status -67774: invalid attribute key type.
public let errSecInvalidAttributeKeyType: OSStatus = -67774

/// Status -67775: missing attribute key type.
public let errSecMissingAttributeKeyType: OSStatus = -67775

/// Status -67776: invalid attribute mode.
public let errSecInvalidAttributeMode: OSStatus = -67776

/// Status -67777: missing attribute mode.
public let errSecMissingAttributeMode: OSStatus = -67777

/// Status -67778: invalid attribute effective bits.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778

/// Status -67779: missing attribute effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779

/// Status -67780: invalid attribute start date.
public let errSecInvalidAttributeStartDate: OSStatus = -67780

/// Status -67781: missing attribute start date.
public let errSecMissingAttributeStartDate: OSStatus = -67781

/// Status -67782: invalid attribute end date.
public let errSecInvalidAttributeEndDate: OSStatus = -67782

/// Status -67783: missing attribute end date.
public let errSecMissingAttributeEndDate: OSStatus = -67783

/// Status -67784: invalid attribute version.
public let errSecInvalidAttributeVersion: OSStatus = -67784

/// Status -67785: missing attribute version.
public let errSecMissingAttributeVersion: OSStatus = -67785

/// Status -67786: invalid attribute prime.
public let errSecInvalidAttributePrime: OSStatus = -67786

/// Status -67787: missing attribute prime.
public let errSecMissingAttributePrime: OSStatus = -67787

/// Status -67788: invalid attribute base.
public let errSecInvalidAttributeBase: OSStatus = -67788

/// Status -67789: missing attribute base.
public let errSecMissingAttributeBase: OSStatus = -67789

/// Status -67790: invalid attribute subprime.
public let errSecInvalidAttributeSubprime: OSStatus = -67790

/// Status -67791: missing attribute subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67791

/// Status -67792: invalid attribute iteration count.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792

/// Status -67793: missing attribute iteration count.
public let errSecMissingAttributeIterationCount: OSStatus = -67793

/// Status -67794: invalid attribute DLDB handle.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794

/// Status -67795: missing attribute DLDB handle.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795

/// Status -67796: invalid attribute access credentials.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796

/// Status -67797: missing attribute access credentials.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797

/// Status -67798: invalid attribute public key format.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798

/// Status -67799: missing attribute public key format.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799

/// Status -67800: invalid attribute private key format.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800

/// Status -67801: missing attribute private key format.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801

/// Status -67802: invalid attribute symmetric key format.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802

/// Status -67803: missing attribute symmetric key format.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803

/// Status -67804: invalid attribute wrapped key format.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804

/// Status -67805: missing attribute wrapped key format.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

/// Status -67806: staged operation in progress.
public let errSecStagedOperationInProgress: OSStatus = -67806

/// Status -67807: staged operation not started.
public let errSecStagedOperationNotStarted: OSStatus = -67807

/// A signature does not fit.
public let errSecVerifyFailed: OSStatus = -67808

/// Status -67809: query size unknown.
public let errSecQuerySizeUnknown: OSStatus = -67809

/// Status -67810: block size mismatch.
public let errSecBlockSizeMismatch: OSStatus = -67810

/// Status -67811: public key inconsistent.
public let errSecPublicKeyInconsistent: OSStatus = -67811

/// Status -67812: device verify failed.
public let errSecDeviceVerifyFailed: OSStatus = -67812

/// Status -67813: invalid login name.
public let errSecInvalidLoginName: OSStatus = -67813

/// Status -67814: already logged in.
public let errSecAlreadyLoggedIn: OSStatus = -67814

/// Status -67815: invalid digest algorithm.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815

/// Status -67816: invalid CRL group.
public let errSecInvalidCRLGroup: OSStatus = -67816

/// Status -67817: certificate cannot operate.
public let errSecCertificateCannotOperate: OSStatus = -67817

/// Status -67818: certificate expired.
public let errSecCertificateExpired: OSStatus = -67818

/// Status -67819: certificate not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819

/// Status -67820: certificate revoked.
public let errSecCertificateRevoked: OSStatus = -67820

/// Status -67821: certificate suspended.
public let errSecCertificateSuspended: OSStatus = -67821

/// Status -67822: insufficient credentials.
public let errSecInsufficientCredentials: OSStatus = -67822

/// Status -67823: invalid action.
public let errSecInvalidAction: OSStatus = -67823

/// Status -67824: invalid authority.
public let errSecInvalidAuthority: OSStatus = -67824

/// Status -67825: verify action failed.
public let errSecVerifyActionFailed: OSStatus = -67825

/// Status -67826: invalid cert authority.
public let errSecInvalidCertAuthority: OSStatus = -67826

/// Status -67827: invalid CRL authority.
public let errSecInvalidCRLAuthority: OSStatus = -67827

/// Status -67828: invalid CRL encoding.
public let errSecInvalidCRLEncoding: OSStatus = -67828

/// Status -67829: invalid CRL type.
public let errSecInvalidCRLType: OSStatus = -67829

/// Status -67830: invalid CRL.
public let errSecInvalidCRL: OSStatus = -67830

/// Status -67831: invalid form type.
public let errSecInvalidFormType: OSStatus = -67831

/// Status -67832: invalid ID.
public let errSecInvalidID: OSStatus = -67832

/// Status -67833: invalid identifier.
public let errSecInvalidIdentifier: OSStatus = -67833

/// Status -67834: invalid index.
public let errSecInvalidIndex: OSStatus = -67834

/// Status -67835: invalid policy identifiers.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835

/// Status -67836: invalid time string.
public let errSecInvalidTimeString: OSStatus = -67836

/// Status -67837: invalid reason.
public let errSecInvalidReason: OSStatus = -67837

/// Status -67838: invalid request inputs.
public let errSecInvalidRequestInputs: OSStatus = -67838

/// Status -67839: invalid response vector.
public let errSecInvalidResponseVector: OSStatus = -67839

/// Status -67840: invalid stop on policy.
public let errSecInvalidStopOnPolicy: OSStatus = -67840

/// Status -67841: invalid tuple.
public let errSecInvalidTuple: OSStatus = -67841

/// Status -67842: multiple values unsupported.
public let errSecMultipleValuesUnsupported: OSStatus = -67842

/// Status -67843: not trusted.
public let errSecNotTrusted: OSStatus = -67843

/// Status -67844: no default authority.
public let errSecNoDefaultAuthority: OSStatus = -67844

/// Status -67845: rejected form.
public let errSecRejectedForm: OSStatus = -67845

/// Status -67846: request lost.
public let errSecRequestLost: OSStatus = -67846

/// Status -67847: request rejected.
public let errSecRequestRejected: OSStatus = -67847

/// Status -67848: unsupported address type.
public let errSecUnsupportedAddressType: OSStatus = -67848

/// Status -67849: unsupported service.
public let errSecUnsupportedService: OSStatus = -67849

/// Status -67850: invalid tuple group.
public let errSecInvalidTupleGroup: OSStatus = -67850

/// Status -67851: invalid base ACLs.
public let errSecInvalidBaseACLs: OSStatus = -67851

/// Status -67852: invalid tuple credentials.
public let errSecInvalidTupleCredentials: OSStatus = -67852

/// Status -67853: invalid encoding.
public let errSecInvalidEncoding: OSStatus = -67853

/// Status -67854: invalid validity period.
public let errSecInvalidValidityPeriod: OSStatus = -67854

/// Status -67855: invalid requestor.
public let errSecInvalidRequestor: OSStatus = -67855

/// Status -67856: request descriptor.
public let errSecRequestDescriptor: OSStatus = -67856

/// Status -67857: invalid bundle info.
public let errSecInvalidBundleInfo: OSStatus = -67857

/// Status -67858: invalid CRL index.
public let errSecInvalidCRLIndex: OSStatus = -67858

/// Status -67859: no field values.
public let errSecNoFieldValues: OSStatus = -67859

/// Status -67860: unsupported field format.
public let errSecUnsupportedFieldFormat: OSStatus = -67860

/// Status -67861: unsupported index info.
public let errSecUnsupportedIndexInfo: OSStatus = -67861

/// Status -67862: unsupported locality.
public let errSecUnsupportedLocality: OSStatus = -67862

/// Status -67863: unsupported num attributes.
public let errSecUnsupportedNumAttributes: OSStatus = -67863

/// Status -67864: unsupported num indexes.
public let errSecUnsupportedNumIndexes: OSStatus = -67864

/// Status -67865: unsupported num record types.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865

/// Status -67866: field specified multiple.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866

/// Status -67867: incompatible field format.
public let errSecIncompatibleFieldFormat: OSStatus = -67867

/// Status -67868: invalid parsing module.
public let errSecInvalidParsingModule: OSStatus = -67868

/// Status -67869: database locked.
public let errSecDatabaseLocked: OSStatus = -67869

/// Status -67870: datastore is open.
public let errSecDatastoreIsOpen: OSStatus = -67870

/// Status -67871: missing value.
public let errSecMissingValue: OSStatus = -67871

/// Status -67872: unsupported query limits.
public let errSecUnsupportedQueryLimits: OSStatus = -67872

/// Status -67873: unsupported num selection preds.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873

/// Status -67874: unsupported operator.
public let errSecUnsupportedOperator: OSStatus = -67874

/// Status -67875: invalid DB location.
public let errSecInvalidDBLocation: OSStatus = -67875

/// Status -67876: invalid access request.
public let errSecInvalidAccessRequest: OSStatus = -67876

/// Status -67877: invalid index info.
public let errSecInvalidIndexInfo: OSStatus = -67877

/// Status -67878: invalid new owner.
public let errSecInvalidNewOwner: OSStatus = -67878

/// Status -67879: invalid modify mode.
public let errSecInvalidModifyMode: OSStatus = -67879

/// Status -67880: missing required extension.
public let errSecMissingRequiredExtension: OSStatus = -67880

/// Status -67881: extended key usage not critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881

/// Status -67882: timestamp missing.
public let errSecTimestampMissing: OSStatus = -67882

/// Status -67883: timestamp invalid.
public let errSecTimestampInvalid: OSStatus = -67883

/// Status -67884: timestamp not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67884

/// Status -67885: timestamp service not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885

/// Status -67886: timestamp bad alg.
public let errSecTimestampBadAlg: OSStatus = -67886

/// Status -67887: timestamp bad request.
public let errSecTimestampBadRequest: OSStatus = -67887

/// Status -67888: timestamp bad data format.
public let errSecTimestampBadDataFormat: OSStatus = -67888

/// Status -67889: timestamp time not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889

/// Status -67890: timestamp unaccepted policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890

/// Status -67891: timestamp unaccepted extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891

/// Status -67892: timestamp add info not available.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892

/// Status -67893: timestamp system failure.
public let errSecTimestampSystemFailure: OSStatus = -67893

/// Status -67894: signing time missing.
public let errSecSigningTimeMissing: OSStatus = -67894

/// Status -67895: timestamp rejection.
public let errSecTimestampRejection: OSStatus = -67895

/// Status -67896: timestamp waiting.
public let errSecTimestampWaiting: OSStatus = -67896

/// Status -67897: timestamp revocation warning.
public let errSecTimestampRevocationWarning: OSStatus = -67897

/// Status -67898: timestamp revocation notification.
public let errSecTimestampRevocationNotification: OSStatus = -67898

/// Status -67899: certificate policy not allowed.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899

/// Status -67900: certificate name not allowed.
public let errSecCertificateNameNotAllowed: OSStatus = -67900

/// Status -67901: certificate validity period too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901

/// Status -67902: certificate is CA.
public let errSecCertificateIsCA: OSStatus = -67902

/// Status -67903: certificate duplicate extension.
public let errSecCertificateDuplicateExtension: OSStatus = -67903

/// The header's own misspelling of a name, kept for source that uses it.
public let errSecInvaldCRLAuthority: OSStatus = -67827

/// The header's own misspelling of a name, kept for source that uses it.
public let errSecInvalidTupleCredendtials: OSStatus = -67852
