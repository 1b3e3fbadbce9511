// SPDX-License-Identifier: Apache-2.0

/// A key.
///
/// Nothing makes one yet: the type is here so that source that names it compiles.
public final class SecKey: Hashable, Sendable {
    init() {}

    /// Whether both are the same object.
    public static func == (left: SecKey, right: SecKey) -> Bool { left === right }

    /// Mixes the object's identity in.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A certificate.
///
/// Nothing makes one yet: the type is here so that source that names it compiles.
public final class SecCertificate: Hashable, Sendable {
    init() {}

    /// Whether both are the same object.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool { left === right }

    /// Mixes the object's identity in.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A certificate with its private key.
///
/// Nothing makes one yet: the type is here so that source that names it compiles.
public final class SecIdentity: Hashable, Sendable {
    init() {}

    /// Whether both are the same object.
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool { left === right }

    /// Mixes the object's identity in.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
