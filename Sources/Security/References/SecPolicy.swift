// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// By what rules a chain of certificates is judged.
///
/// Policies can be made and compared; nothing judges by one, for `SecTrust` is not implemented.
public final class SecPolicy: Hashable, Sendable {
    private let identifier: String
    private let name: String?
    private let isClient: Bool

    private init(_ identifier: CFString, name: String? = nil, isClient: Bool = false) {
        self.identifier = String(identifier)
        self.name = name
        self.isClient = isClient
    }

    static let basicX509 = SecPolicy(kSecPolicyAppleX509Basic)
    static let revocation = SecPolicy(kSecPolicyAppleRevocation)

    static func ssl(server: Bool, _ hostname: String?) -> SecPolicy {
        SecPolicy(kSecPolicyAppleSSL, name: hostname, isClient: !server)
    }

    var properties: [CFString: Any] {
        var properties: [CFString: Any] = [kSecPolicyOid: identifier]
        if let name { properties[kSecPolicyName] = name }
        if isClient { properties[kSecPolicyClient] = true }
        return properties
    }

    /// Whether both have the same rules.
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool {
        left.identifier == right.identifier && left.name == right.name && left.isClient == right.isClient
    }

    /// Mixes the kind of rules in.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// The rules that every chain has to keep.
public func SecPolicyCreateBasicX509() -> SecPolicy { .basicX509 }

/// The rules for TLS: of a server with that name, or of a client.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    .ssl(server: server, hostname.map { String($0) })
}

/// The rules for revocation; the flags are not kept.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? { .revocation }

/// Not implemented: nil.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    nil
}

/// What a policy is made of: `kSecPolicyOid`, and `kSecPolicyName` and `kSecPolicyClient` where it has them.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? { policyRef.properties as CFDictionary }
