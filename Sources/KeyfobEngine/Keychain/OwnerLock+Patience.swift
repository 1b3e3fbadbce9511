// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform

extension OwnerLock {
    private static let pause: UInt32 = 10_000

    /// Takes the lock, waiting up to `patience` seconds for a process that holds it now.
    static func acquire(_ path: String, patience: Double) throws(KeychainError) -> OwnerLock {
        let deadline = WallClock.now() + patience
        while true {
            do {
                return try acquire(path)
            } catch {
                guard error.code == .keychainInUse, WallClock.now() < deadline else { throw error }
            }
            usleep(pause)
        }
    }
}
