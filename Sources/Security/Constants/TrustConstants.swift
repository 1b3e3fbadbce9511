// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecPolicy.h, SecTrust.h).
public import Foundation

/// A policy: the rules that every chain has to keep.
@safe nonisolated(unsafe) public let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"

/// A policy: TLS.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"

/// A policy: S/MIME.
@safe nonisolated(unsafe) public let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"

/// A policy: EAP.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"

/// A policy: IPsec.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"

/// A policy: code signing.
@safe nonisolated(unsafe) public let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"

/// A policy: time stamps.
@safe nonisolated(unsafe) public let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"

/// A policy: revocation.
@safe nonisolated(unsafe) public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"

/// A property of a policy: which it is.
@safe nonisolated(unsafe) public let kSecPolicyOid: CFString = "SecPolicyOid"

/// A property of a policy: the name of the server.
@safe nonisolated(unsafe) public let kSecPolicyName: CFString = "SecPolicyName"

/// A property of a policy: whether it is about a client.
@safe nonisolated(unsafe) public let kSecPolicyClient: CFString = "SecPolicyClient"

/// A property of a policy: how revocation is checked.
@safe nonisolated(unsafe) public let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"

/// A flag of revocation: ask an OCSP responder.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0

/// A flag of revocation: read a revocation list.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1

/// A flag of revocation: rather the list.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2

/// A flag of revocation: no answer is a bad answer.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3

/// A flag of revocation: not over the network.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4

/// A flag of revocation: either method.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod
