// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto

/// Named parameters for a libcrypto call; the memory that they point at must outlive the call.
@safe struct LibcryptoParameters {
    private(set) var list: [OSSL_PARAM] = unsafe []

    /// Adds a text; a literal, because the parameter points at it.
    mutating func add(_ name: StaticString, text: StaticString) {
        let value = unsafe UnsafeMutablePointer(mutating: Self.characters(text))
        unsafe list.append(OSSL_PARAM_construct_utf8_string(Self.characters(name), value, 0))
    }

    /// Adds bytes.
    mutating func add(_ name: StaticString, bytes: UnsafeRawBufferPointer) {
        let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        unsafe list.append(OSSL_PARAM_construct_octet_string(Self.characters(name), start, bytes.count))
    }

    /// Adds a number that stays where it is.
    mutating func add(_ name: StaticString, number: UnsafeMutablePointer<UInt64>) {
        unsafe list.append(OSSL_PARAM_construct_uint64(Self.characters(name), number))
    }

    /// Adds a large number, in the byte order of the machine.
    mutating func add(_ name: StaticString, large bytes: UnsafeMutableBufferPointer<UInt8>) {
        unsafe list.append(OSSL_PARAM_construct_BN(Self.characters(name), bytes.baseAddress, bytes.count))
    }

    /// The list as a call takes it.
    var ended: [OSSL_PARAM] { unsafe list + [OSSL_PARAM_construct_end()] }

    private static func characters(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
