// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Tokens that fail while items are sealed and opened: no row is taken for damaged because of it.
@Suite(.lendsTokens) struct ItemFaultTests {
    private func opening(_ test: MockVault, _ blob: [UInt8], _ binding: ItemBinding) -> OpenFailure? {
        do throws(OpenFailure) {
            return try test.open(blob, binding) == [7, 8, 9] ? nil : .damaged(.malformed)
        } catch {
            return error
        }
    }

    /// Values by which tokens tell damage, a fault of theirs, or both.
    static let values: [ReturnValue] = [
        .generalError, .functionFailed, .encryptedDataInvalid, .deviceError, .deviceRemoved, .sessionHandleInvalid,
        .cryptokiNotInitialized, .hostMemory, .bufferTooSmall,
    ]

    @Test(arguments: values)
    func `A token that fails for a moment damages no row`(value: ReturnValue) throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        test.mock.script(.answer(.decrypt, value))
        if case .damaged(let fault) = opening(test, blob, binding) { Issue.record("damaged: \(fault)") }
        #expect(opening(test, blob, binding) == nil)
    }

    @Test(arguments: values)
    func `A token that fails for good damages no row`(value: ReturnValue) throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        test.mock.script(.answer(.decrypt, value, times: MockStep.forever))
        guard case .unavailable = opening(test, blob, binding) else {
            Issue.record("damaged, or opened")
            return
        }
        test.mock.module.reset()
        #expect(opening(test, blob, binding) == nil)
    }

    @Test func `A damaged row is told after the token opened another and refused it once more`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        var blob = try test.seal(binding)
        let before = test.mock.module.calls(of: .decrypt)
        blob[30] ^= 1
        #expect(opening(test, blob, binding) == .damaged(.notAuthentic))
        #expect(test.mock.module.calls(of: .decrypt) == before + 3)
    }

    @Test func `A token that is gone when it is asked once more damages no row`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        test.mock.script(.answer(.decrypt, .generalError), .answer(.decrypt, .deviceRemoved, after: 1))
        guard case .unavailable(let error) = opening(test, blob, binding) else {
            Issue.record("damaged, or opened")
            return
        }
        #expect(error.code == .notAvailable)
    }

    @Test func `Whichever call of a seal or an opening fails, it is told as a fault of the token`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        for function in [CryptokiFunction.encryptInit, .encrypt] {
            test.mock.script(.answer(function, .deviceError))
            let error = fault { () throws(KeychainError) in _ = try test.seal(binding) }
            #expect(error?.code == .tokenFailed && error?.function == function.name)
        }
        for function in [CryptokiFunction.decryptInit, .decrypt] {
            test.mock.script(.answer(function, .deviceError))
            guard case .unavailable(let error) = opening(test, blob, binding) else {
                Issue.record("\(function.name)")
                continue
            }
            #expect(error.code == .tokenFailed && error.function == function.name)
        }
        #expect(opening(test, blob, binding) == nil)
    }

    @Test func `A seal of a length that cannot be is never handed out`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        test.mock.script(.length(.encrypt, 47))
        #expect(fault { () throws(KeychainError) in _ = try test.seal(binding) }?.code == .tokenFailed)
    }

    @Test func `A token that was pulled is told as not there, for seals, openings and attributes`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        test.mock.script(.remove())
        #expect(fault { () throws(KeychainError) in _ = try test.seal(binding) }?.code == .notAvailable)
        guard case .unavailable(let error) = opening(test, blob, binding) else {
            Issue.record("damaged, or opened")
            return
        }
        #expect(error.code == .notAvailable && error.remedy == .insertToken)
        // The metadata key was not open yet.
        let attributes = try SecretBytes(copying: [1])
        let sealing = fault { () throws(KeychainError) in
            _ = try test.vault.sealMetadata(attributes, binding: binding, revision: 1, .add)
        }
        #expect(sealing?.code == .notAvailable)
    }

    // MARK: - The names of compartments and the checkpoints of the log

    @Test func `A name of a compartment that the token cannot open is not damaged`() throws {
        let test = try MockVault()
        let digest = [UInt8](repeating: 4, count: 32)
        let blob = try test.vault.sealScopeName(SecretBytes(copying: [1, 2]), digest: digest)
        let other = try test.reopened()
        test.mock.script(.answer(.decrypt, .deviceError))
        let failure = #expect(throws: OpenFailure.self) { _ = try other.openScopeName(blob, digest: digest) }
        guard case .unavailable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try other.openScopeName(blob, digest: digest).count == 2)
    }

    @Test(arguments: values)
    func `A checkpoint that the token fails to open is not taken for a forged one`(value: ReturnValue) throws {
        let test = try MockVault()
        let checkpoint = AuditCheckpoint(sequence: 1, time: 2, hash: Array(1...32))
        let sealed = try test.vault.sealCheckpoint(checkpoint, under: test.vault.checkpointKey())
        test.mock.script(.answer(.decrypt, value, times: MockStep.forever))
        let error = fault { () throws(KeychainError) in _ = try test.vault.openCheckpoint(sealed) }
        #expect(error?.operation == .audit && error?.function == "C_Decrypt")
        test.mock.module.reset()
        #expect(try test.vault.openCheckpoint(sealed) == checkpoint)
    }

    @Test func `A checkpoint that cannot be sealed is told`() throws {
        let test = try MockVault()
        let checkpoint = AuditCheckpoint(sequence: 1, time: 2, hash: Array(1...32))
        test.mock.script(.answer(.encrypt, .deviceError))
        let error = fault { () throws(KeychainError) in
            _ = try test.vault.sealCheckpoint(checkpoint, under: test.vault.checkpointKey())
        }
        #expect(error?.code == .tokenFailed && error?.function == "C_Encrypt")
    }
}
