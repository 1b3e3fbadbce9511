// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): values of the accessibility and other attributes.
public import Foundation

/// A value of `kSecAttrAccessible`: `ak`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"

/// A value of `kSecAttrAccessible`: `ck`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"

/// A value of `kSecAttrAccessible`: `dk`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"

/// A value of `kSecAttrAccessible`: `aku`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

/// A value of `kSecAttrAccessible`: `cku`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

/// A value of `kSecAttrAccessible`: `dku`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

/// A value of `kSecAttrAccessible`: `akpu`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"

/// A value of `kSecAttrAccessible`: `dk`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysPrivate: CFString = "dk"

/// A value of `kSecAttrAccessible`: `dku`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate: CFString = "dku"

/// A value of `kSecAttrAccessible`: `f`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleUntilReboot: CFString = "f"

/// A value of an attribute: `com.apple.token`.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"

/// A value of an attribute: `syna`.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"

/// A value of an attribute: `com.apple.setoken`.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

/// A value of an attribute: `com.apple.setoken:aks`.
@safe nonisolated(unsafe) public let kSecAttrTokenIDAppleKeyStore: CFString = "com.apple.setoken:aks"

/// A value of an attribute: `com.apple.secelemtoken`.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureElement: CFString = "com.apple.secelemtoken"
