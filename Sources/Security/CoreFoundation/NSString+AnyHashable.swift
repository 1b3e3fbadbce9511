// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Makes a `CFString` key find a `String` key in a `[AnyHashable: Any]`, as it does on Apple platforms.
///
/// Without it `attributes[kSecAttrAccount]` finds nothing in attributes that were read back. It holds for the whole
/// process, so it stands alone here; a test says what breaks without it.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as a Swift string.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(self)) }
}
