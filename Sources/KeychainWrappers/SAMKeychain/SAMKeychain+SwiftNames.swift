// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The same calls under the names that Swift gives the Objective-C original's.
extension SAMKeychain {
    /// As `passwordForService(_:account:error:)`.
    public static func password(forService serviceName: String, account: String) -> String? {
        unsafe passwordForService(serviceName, account: account)
    }

    /// As `passwordDataForService(_:account:error:)`.
    public static func passwordData(forService serviceName: String, account: String) -> Data? {
        unsafe passwordDataForService(serviceName, account: account)
    }

    /// As `deletePasswordForService(_:account:error:)`.
    @discardableResult
    public static func deletePassword(forService serviceName: String, account: String) -> Bool {
        unsafe deletePasswordForService(serviceName, account: account)
    }

    /// As `accountsForService(_:error:)`.
    public static func accounts(forService serviceName: String?) -> [[String: Any]]? {
        unsafe accountsForService(serviceName)
    }
}
