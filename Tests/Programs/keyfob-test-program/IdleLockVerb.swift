// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Security
internal import SecurityEmbedded

/// A program with the engine that has its keychain locked when nobody uses it.
enum IdleLockVerb {
    /// Opens it so, prints how it is after a while and after another unlock, closes it and prints how many threads watch.
    ///
    /// - Parameter words: `configured`, a number of seconds, or nothing: never.
    static func run(_ words: [String]) throws {
        let lock: EmbeddedKeychain.IdleLock =
            switch words.first {
            case nil: .never
            case "configured": .configured
            case .some(let text): .seconds(Int(text) ?? 0)
            }
        do {
            let keychain = try EmbeddedKeychain.open(pin: .configured, idleLock: lock)
            // A thread has its name a moment after it began.
            if lock != .never { _ = waits { watchers() > 0 } }
            Answer.line("\(watchers())")
            if lock == .never {
                Answer.line("\(keychain.state)")
            } else {
                for _ in 0..<2 {
                    let isLocked = waits { keychain.state == .locked }
                    Answer.line(isLocked ? "locked" : "\(keychain.state)")
                    try keychain.unlock()
                }
            }
            keychain.close()
            _ = waits { watchers() == 0 }
            Answer.line("\(watchers())")
        } catch {
            Answer.line("\((error as? EmbeddedKeychainError)?.status ?? errSecInternalError)")
        }
    }

    /// How many threads look for use.
    private static func watchers() -> Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.count { thread in
            let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            return name == "keyfob-idle\n"
        }
    }

    private static func waits(_ condition: () -> Bool) -> Bool {
        for _ in 0..<3000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }
}
