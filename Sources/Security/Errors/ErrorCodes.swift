// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecBase.h): the status codes that SecItem calls return.

/// No error.
public let noErr: OSStatus = 0

/// The call did what it was asked.
public let errSecSuccess: OSStatus = 0

/// Known, and not done by this build or for this class.
public let errSecUnimplemented: OSStatus = -4

/// Another name of `errSecUnimplemented`.
public let errSecUnsupportedOperation: OSStatus = -4

/// The store has no room.
public let errSecDiskFull: OSStatus = -34

/// The store could not be read or written.
public let errSecIO: OSStatus = -36

/// A parameter is malformed, or two contradict each other.
public let errSecParam: OSStatus = -50

/// No memory could be had.
public let errSecAllocate: OSStatus = -108

/// The person declined to authenticate.
public let errSecUserCanceled: OSStatus = -128

/// A fault inside the store.
public let errSecInternalComponent: OSStatus = -2070

/// No keychain or no token answers, or the class key does not exist.
public let errSecNotAvailable: OSStatus = -25291

/// The store cannot be written.
public let errSecReadOnly: OSStatus = -25292

/// The PIN or the authentication was wrong.
public let errSecAuthFailed: OSStatus = -25293

/// An item with the same primary key is there already.
public let errSecDuplicateItem: OSStatus = -25299

/// No item matches that the caller can see.
public let errSecItemNotFound: OSStatus = -25300

/// The class has no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303

/// A reference to an item that is gone.
public let errSecInvalidItemRef: OSStatus = -25304

/// There is no such class, or it is not that of the reference.
public let errSecNoSuchClass: OSStatus = -25306

/// The class key is locked, or a person is needed and may not be asked.
public let errSecInteractionNotAllowed: OSStatus = -25308

/// Data that was given cannot be decoded.
public let errSecDecode: OSStatus = -26275

/// A fault of the library or an unclassified one of the token.
public let errSecInternal: OSStatus = -26276

/// The caller is not given the access group.
public let errSecMissingEntitlement: OSStatus = -34018

/// The client may not make this call.
public let errSecRestrictedAPI: OSStatus = -34020

/// The old raw verification found that a signature does not fit.
public let errSSLCrypto: OSStatus = -9809
