// SPDX-License-Identifier: Apache-2.0

// Keys of the dictionaries that `allAccounts` and `accountsForService` give, and the error's names.

/// The account.
public let kSAMKeychainAccountKey = "acct"
/// When the item was added.
public let kSAMKeychainCreatedAtKey = "cdat"
/// The label, under a name that promises the class; so it is in the original.
public let kSAMKeychainClassKey = "labl"
/// The description.
public let kSAMKeychainDescriptionKey = "desc"
/// The label.
public let kSAMKeychainLabelKey = "labl"
/// When the item was last changed.
public let kSAMKeychainLastModifiedKey = "mdat"
/// The service.
public let kSAMKeychainWhereKey = "svce"
/// The domain of the errors of `SAMKeychain`.
public let kSAMKeychainErrorDomain = "com.samsoffes.samkeychain"
/// The domain of the errors of `SSKeychain`.
public let kSSKeychainErrorDomain = "com.samsoffes.sskeychain"
