// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// `kSecMatchHostOrSubdomainOfHost`.
enum HostMatch {
    /// Whether a server is the host or ends in a dot and the host; only a server given as text can match.
    static func matches(_ server: AttributeValue, _ host: WipedBytes) -> Bool {
        guard case .text(let name) = server else { return false }
        guard name != host else { return true }
        guard name.count > host.count else { return false }
        return unsafe name.withUnsafeBytes { name in
            unsafe host.withUnsafeBytes { host in
                unsafe name.suffix(host.count).elementsEqual(host)
                    && name[name.count - host.count - 1] == UInt8(ascii: ".")
            }
        }
    }
}
