// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// Saves, loads and deletes one object graph by name (the wrapper of many iOS tutorials, also as `CHKeychain`).
///
/// The graph is a generic password whose service and account are the name, readable after the first unlock. Strings,
/// numbers, data, dates, URLs, UUIDs, arrays, sets and dictionaries can be saved.
public enum WQKeyChain {
    /// Saves `data` under `service`, in place of what was there.
    ///
    /// - Returns: Whether it is stored; the reason of a failure is on standard error, and the old graph is still there.
    @discardableResult
    public static func save(_ service: String, data: Any) -> Bool {
        do {
            let bytes = try ObjectArchive.bytes(of: data)
            return WrapperLog.succeeded(slot(service).store(bytes), "WQKeyChain.save")
        } catch {
            WrapperLog.report("WQKeyChain.save", "\(error)")
            return false
        }
    }

    /// The graph saved under `service`; nil if there is none or it cannot be read, the reason of which is on standard
    /// error.
    public static func load(_ service: String) -> Any? {
        let (status, bytes) = slot(service).load()
        guard WrapperLog.succeeded(status, "WQKeyChain.load"), let bytes else { return nil }
        do {
            return try ObjectArchive.object(from: bytes)
        } catch {
            WrapperLog.report("WQKeyChain.load", "\(error)")
            return nil
        }
    }

    /// Deletes what is saved under `service`; nothing there is no failure.
    public static func delete(_ service: String) {
        _ = WrapperLog.succeeded(slot(service).delete(), "WQKeyChain.delete")
    }

    private static func slot(_ service: String) -> PasswordSlot { PasswordSlot(service: service, account: service) }
}

/// The name under which other tutorials have `WQKeyChain`.
public typealias CHKeychain = WQKeyChain
