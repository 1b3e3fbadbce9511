// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): the item classes.
public import Foundation

/// The key of the item class.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"

/// The item class `genp`.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"

/// The item class `inet`.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"

/// The item class `apls`.
@safe nonisolated(unsafe) public let kSecClassAppleSharePassword: CFString = "apls"

/// The item class `cert`.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"

/// The item class `keys`.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"

/// The item class `idnt`.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"
