// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobModel
import KeyfobWords
internal import Synchronization
internal import Testing

struct TokenTests {
    private let fake = FakeAccess()

    private var changes: [FakeKeychain.PINChange] { fake.keychain.state.withLock { $0.pinChanges } }

    private func holdPasscodeItems(_ count: Int) {
        let key = KeychainStatus.Key(
            id: ClassKeyID(.whenPasscodeSetThisDeviceOnly, generation: 1), suite: .aesGCM, residence: .tokenPrivate,
            isUsable: false, items: count, seals: 0, needsRotation: false)
        fake.keychain.state.withLock { $0.passcodeKeys = [key] }
    }

    @Test func `Changing the PIN takes the old one and the new one from their sources`() {
        let run = Transcript(
            ["token", "change-pin", "--pin-source", "/old", "--new-pin-source", "/new", "--final-try"], on: fake)
        #expect(run.status == .success)
        #expect(run.output.isEmpty && run.error.isEmpty)
        #expect(changes == [.init(["123456", "654321"], finalTry: true)])
        #expect(fake.pinRequests.map(\.explicit) == ["/old", "/new"])
    }

    @Test func `Where the device has a keypad the person is told to enter the PINs there, and in which order`() {
        fake.keychain.state.withLock {
            $0.hasPINPad = true
            // For logins, where nobody may be present.
            $0.configuredPINSource = "file:/etc/pin"
        }
        let change = Transcript(["token", "change-pin", "--final-try"], on: fake)
        #expect(change.status == .success)
        #expect(
            change.lines.first
                == "enter the old PIN and then the new one on the device of token \"work\" (Vault 2, serial 8F3A)")
        let unblock = Transcript(["token", "unblock"], on: fake)
        #expect(unblock.status == .success)
        #expect(
            unblock.lines.first
                == "enter the security officer's PIN, then the new PIN, then the new one again to log in, "
                + "on the device of token \"work\" (Vault 2, serial 8F3A)")
        #expect(changes == [.init([], finalTry: true), .init([], items: 0, finalTry: false)])
        #expect(fake.pinRequests.isEmpty)
    }

    @Test(arguments: [
        ["token", "change-pin", "--pin-source", "/p"], ["token", "change-pin", "--new-pin-source", "/p"],
        ["token", "unblock", "--so-pin-source", "/p"], ["token", "unblock", "--new-pin-source", "/p"],
    ])
    func `A source that is named counts more than a keypad`(arguments: [String]) {
        fake.keychain.state.withLock { $0.hasPINPad = true }
        #expect(Transcript(arguments, on: fake).status == .success)
        #expect(changes.map(\.pins.count) == [2])
    }

    @Test func `Changing the PIN in JSON says that it is changed`() {
        #expect(Transcript(["token", "change-pin", "--json"], on: fake).text == "{\"changed\": true}\n")
    }

    @Test func `A configured source of the PIN is named after a change`() {
        fake.keychain.state.withLock { $0.configuredPINSource = "file:/etc/pin" }
        let run = Transcript(["token", "change-pin"], on: fake)
        #expect(run.error == "the configured PIN source has to hold the new PIN: file:/etc/pin\n")
    }

    @Test func `A refused old PIN is told with the tries that are left`() {
        fake.keychain.state.withLock {
            $0.nextError = KeychainError(.pinIncorrect, .changePIN, remedy: .enterCorrectPIN(triesLeft: .one))
        }
        let run = Transcript(["token", "change-pin"], on: fake)
        #expect(
            run.lines == [
                "keyfob: error: the token refused the PIN",
                "keyfob: hint: try again with the right PIN; one try is left before the token locks",
            ])
        #expect(run.status == .pinRefused)
    }

    @Test func `Unblocking says how many items will be gone and goes on when that number is typed`() {
        holdPasscodeItems(3)
        fake.typedNumber = 3
        let run = Transcript(["token", "unblock", "--so-pin-source", "/so", "--new-pin-source", "/new"], on: fake)
        #expect(run.error == "items of class when-passcode-set-this-device-only that will be gone: 3\n")
        #expect(run.status == .success)
        #expect(changes == [.init(["12345678", "654321"], items: 3, finalTry: false)])
        #expect(fake.pinRequests.map(\.explicit) == ["/so", "/new"])
        #expect(fake.questions.count == 1)
    }

    @Test func `Another number than that of the items changes nothing and asks for no PIN`() {
        holdPasscodeItems(3)
        fake.typedNumber = 30
        let run = Transcript(["token", "unblock"], on: fake)
        #expect(run.lines.last == "keyfob: error: nothing was changed: 30 is not 3")
        #expect(run.status == .canceled)
        #expect(changes.isEmpty)
        #expect(fake.pinRequests.isEmpty)
    }

    @Test func `With nobody there to agree a script is told what to give`() {
        holdPasscodeItems(3)
        let run = Transcript(["token", "unblock"], on: fake)
        #expect(
            run.lines.suffix(2) == [
                "keyfob: error: nothing was changed: nobody is there to agree", "keyfob: hint: give --destroy 3",
            ])
        #expect(run.status == .usage)
        #expect(changes.isEmpty)
    }

    @Test func `A script gives the number`() {
        holdPasscodeItems(3)
        let run = Transcript(["token", "unblock", "--destroy", "3", "--json"], on: fake)
        #expect(run.text == "{\"destroyed\": 3}\n")
        #expect(changes.map(\.items) == [3])
        #expect(fake.questions.isEmpty)
    }

    @Test func `A script that gives another number is told the right one, and nothing is asked for`() {
        holdPasscodeItems(3)
        let run = Transcript(["token", "unblock", "--destroy", "2"], on: fake)
        #expect(run.status == .usage)
        #expect(
            run.lines.suffix(2) == [
                "keyfob: error: nothing was changed: 3 would be gone, not 2", "keyfob: hint: give --destroy 3",
            ])
        #expect(changes.isEmpty)
        #expect(fake.pinRequests.isEmpty)
    }

    @Test func `Without such items nobody is asked`() {
        let run = Transcript(["token", "unblock"], on: fake)
        #expect(run.status == .success)
        #expect(run.output.isEmpty && run.error.isEmpty)
        #expect(changes.map(\.items) == [0])
        #expect(fake.questions.isEmpty)
    }

    @Test(arguments: [
        ["token"], ["token", "sign"], ["token", "unblock", "--pin-source", "/p"],
        ["token", "change-pin", "--destroy", "0"], ["token", "change-pin", "--so-pin-source", "/p"],
        ["token", "unblock", "--destroy", "all"], ["token", "unblock", "--destroy", "-1"],
        ["token", "change-pin", "--pin-source", "-", "--new-pin-source", "-"],
        ["token", "unblock", "--so-pin-source", "-", "--new-pin-source", "-"],
    ])
    func `What makes no command is a usage error and touches nothing`(arguments: [String]) {
        #expect(Transcript(arguments, on: fake).status == .usage)
        #expect(fake.homes.isEmpty)
        #expect(fake.pinRequests.isEmpty)
    }
}
