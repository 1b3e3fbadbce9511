// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

/// What `C_GetInfo` says about a module.
package struct ModuleInfo: Hashable, Sendable {
    /// The texts, padding removed.
    package let manufacturer: String
    package let description: String
    /// The version of the library, such as `2.6`.
    package let version: String

    /// Manufacturers of modules that do not stand several threads, each with a session of its own: tpm2-pkcs11 loses sessions
    /// and says "called in bad sequence" (tpm2-pkcs11#843).
    private static let fragile: Set<String> = ["tpm2-software.github.io"]

    /// Whether it is known not to stand several threads at once.
    package var isFragileUnderThreads: Bool { Self.fragile.contains(manufacturer) }

    package init(manufacturer: String, description: String, version: String) {
        self.manufacturer = manufacturer
        self.description = description
        self.version = version
    }
}

extension Module {
    /// What the module says about itself (`C_GetInfo`).
    package func info() throws(PKCS11Error) -> ModuleInfo {
        var raw = CK_INFO()
        try unsafe line.check(.getInfo) { unsafe $0.pointee.C_GetInfo?(&raw) }
        return ModuleInfo(
            manufacturer: text(raw.manufacturerID), description: text(raw.libraryDescription),
            version: "\(raw.libraryVersion.major).\(raw.libraryVersion.minor)")
    }
}
