// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobCrypto
import KeyfobMemory
import Synchronization
import Testing

struct ConcurrencyTests {
    private static let threads = 8
    private static let rounds = 2000

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` on eight threads at once and waits for them.
    private func onEightThreads(_ body: @escaping @Sendable () -> Void) {
        let job = unsafe Unmanaged.passRetained(Job(body))
        var threads: [pthread_t] = []
        for _ in 0..<Self.threads {
            var thread = pthread_t()
            let made = unsafe pthread_create(
                &thread, nil,
                { pointer in
                    guard let pointer = unsafe pointer else { return nil }
                    unsafe Unmanaged<Job>.fromOpaque(pointer).takeUnretainedValue().body()
                    return nil
                }, unsafe job.toOpaque())
            #expect(made == 0)
            threads.append(thread)
        }
        for thread in threads { pthread_join(thread, nil) }
        unsafe job.release()
    }

    @Test func `Eight threads get the right authenticators from one object`() throws {
        let function = try HMACSHA256(key: SecretBytes(copying: repeated(7, 32)))
        let messages = (0..<16).map { repeated(UInt8($0), 60 + $0) }
        let expected = messages.map { function.digest(of: $0) }
        let wrong = Atomic(0)
        withExtendedLifetime(function) {
            onEightThreads {
                for round in 0..<Self.rounds {
                    let digest = function.digest(of: messages[round % 16])
                    if digest != expected[round % 16] { wrong.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test func `Eight threads seal and open at once without mixing their values`() throws {
        let wrong = Atomic(0)
        let number = Atomic<UInt8>(1)
        onEightThreads {
            let mine = number.add(1, ordering: .relaxed).newValue
            let key = repeated(mine, 32)
            for round in 0..<Self.rounds / 4 {
                let nonce = repeated(UInt8(truncatingIfNeeded: round), 12)
                let plaintext = repeated(mine &+ UInt8(truncatingIfNeeded: round), 48)
                // A throw is a wrong result too.
                let opened = try? open(seal(plaintext, key: key, nonce: nonce), key: key, nonce: nonce)
                if opened != plaintext { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
