// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobModel
import KeyfobWords
internal import Synchronization
internal import Testing

struct StateTests {
    private let fake = FakeAccess()

    @Test func `Init makes a keychain on a software token and shows it`() {
        fake.keychainExists = false
        let run = Transcript(["init", "--home", "/k", "--pin-source", "/pin"], on: fake)
        #expect(run.status == .success)
        #expect(fake.created.map(\.plan.token) == [nil])
        #expect(fake.created.first?.hasSecurityOfficerPIN == false)
        #expect(fake.pinRequests.map(\.explicit) == ["/pin"])
        #expect(fake.homes == ["/k"])
        #expect(run.text.hasPrefix("keychain  /home/ada/.local/share/keyfob\n"))
    }

    @Test func `Init hands over the token and the security officer's PIN`() {
        fake.keychainExists = false
        _ = Transcript(["init", "--token", "pkcs11:token=work", "--so-pin-source", "/so"], on: fake)
        #expect(fake.created.first?.plan.token == "pkcs11:token=work")
        #expect(fake.created.first?.hasSecurityOfficerPIN == true)
        #expect(fake.pinRequests.map(\.explicit) == [nil, "/so"])
    }

    @Test func `Init hands over the module's parameters`() {
        fake.keychainExists = false
        let run = Transcript(
            ["init", "--token", "pkcs11:token=work?module-path=/m.so", "--module-parameters", "dir='/db'"], on: fake)
        #expect(run.status == .success)
        #expect(fake.created.map(\.plan.moduleParameters) == ["dir='/db'"])
    }

    @Test func `Init hands over that the module is to be isolated`() {
        fake.keychainExists = false
        _ = Transcript(["init", "--token", "pkcs11:token=work?module-path=/m.so", "--isolate"], on: fake)
        #expect(fake.created.map(\.plan.isolatesModule) == [true])
    }

    @Test(arguments: [["--module-parameters", "dir='/db'"], ["--isolate"]])
    func `What is about a module that no token names is refused before a PIN is asked for`(options: [String]) {
        fake.keychainExists = false
        let run = Transcript(["init"] + options, on: fake)
        #expect(
            run.lines.first == "keyfob: error: --module-parameters and --isolate need --token, which names the module")
        #expect(run.status == .usage)
        #expect(fake.pinRequests.isEmpty && fake.created.isEmpty)
    }

    private static let badKeyID =
        "keyfob: error: --key-id takes the CKA_ID of a pair in hexadecimal digits, and needs --token"

    @Test func `Init hands over which pair every class is to use`() {
        fake.keychainExists = false
        let run = Transcript(
            ["init", "--token", "pkcs11:token=card", "--key-id", "03aF", "--allow", "host-held"], on: fake)
        #expect(run.status == .success)
        #expect(fake.created.first?.plan.keys.objectID == [0x03, 0xAF])
    }

    @Test func `Init hands over how the keys may be kept`() {
        fake.keychainExists = false
        let run = Transcript(
            ["init", "--token", "pkcs11:token=work", "--suite", "rsa-oaep", "--allow", "host-held"], on: fake)
        #expect(run.status == .success)
        #expect(fake.created.first?.plan.keys.suite == .rsaOAEP)
        #expect(fake.created.first?.plan.keys.allowsHostHeld == true)
    }

    @Test(arguments: [
        (["--suite", "rot13"], "keyfob: error: there is no suite rot13"),
        (["--allow", "anything"], "keyfob: error: --allow takes host-held"),
        (["--token", "pkcs11:token=work", "--key-id", ""], badKeyID),
        (["--token", "pkcs11:token=work", "--key-id", "1"], badKeyID),
        (["--token", "pkcs11:token=work", "--key-id", "0g"], badKeyID),
        (["--token", "pkcs11:token=work", "--key-id", "+1"], badKeyID),
        (["--key-id", "01"], badKeyID),
    ])
    func `A way to keep keys that there is not is refused before a PIN is asked for`(
        arguments: [String], told: String
    ) {
        fake.keychainExists = false
        let run = Transcript(["init"] + arguments, on: fake)
        #expect(run.lines.first == told && run.status == .usage)
        #expect(fake.pinRequests.isEmpty && fake.created.isEmpty)
    }

    @Test func `Init on a token with a keypad has the PIN entered there, unless a source is named`() {
        fake.keychainExists = false
        fake.tokenWithPad = fake.keychain.token
        let run = Transcript(["init", "--token", "pkcs11:token=work"], on: fake)
        #expect(run.status == .success)
        let told = "enter the PIN on the device of token \"work\" (Vault 2, serial 8F3A); it asks twice"
        #expect(run.lines.first == told)
        #expect(fake.createdWithPIN == [false] && fake.pinRequests.isEmpty)
        fake.keychainExists = false
        _ = Transcript(["init", "--token", "pkcs11:token=work", "--pin-source", "/pin"], on: fake)
        #expect(fake.createdWithPIN == [false, true] && fake.pinRequests.map(\.explicit) == ["/pin"])
    }

    @Test func `Init where a keychain exists asks for no PIN and says so`() {
        let run = Transcript(["init"], on: fake)
        #expect(run.lines.first == "keyfob: error: there is a keychain already: /home/ada/.local/share/keyfob")
        #expect(run.status == .ambiguous)
        #expect(fake.pinRequests.isEmpty)
        #expect(fake.created.isEmpty)
    }

    @Test(arguments: [
        ["get", "a"], ["set", "a"], ["list"], ["rm", "a"], ["unlock"], ["lock"], ["status"], ["verify"],
    ])
    func `Every command without a keychain says how to make one`(arguments: [String]) {
        fake.keychainExists = false
        let run = Transcript(arguments, on: fake)
        #expect(
            run.lines == [
                "keyfob: error: there is no keychain yet: /home/ada/.local/share/keyfob",
                "keyfob: hint: make one: keyfob init",
            ])
        #expect(run.status == .notConfigured)
    }

    @Test func `A keychain that another process owns names the process`() {
        fake.openError = KeychainError(
            .keychainInUse, .open, subject: .path("/k"), cause: .process(pid: 42), remedy: .stopOwner(pid: 42))
        let run = Transcript(["list"], on: fake)
        #expect(
            run.lines == [
                "keyfob: error: another process owns the keychain: /k: process 42",
                "keyfob: hint: wait for process 42, or stop it, and try again",
            ])
        #expect(run.status == .inUse)
    }

    @Test func `Status shows facts and keys in aligned columns`() {
        let run = Transcript(["status"], on: fake)
        #expect(
            run.text == """
                keychain  /home/ada/.local/share/keyfob
                uuid      00000000-0000-0000-0000-000000000001
                token     token "work" (Vault 2, serial 8F3A)
                state     before first unlock
                reason    nobody has logged in since the keychain was opened or its token came back
                next      keyfob unlock unlocks it
                items     0

                KEY  ACCESSIBLE     USABLE  SEALS  RESIDENCE
                ak   when-unlocked  no      7      token, while logged in

                process        71 of user 1000, keyfob \(Version.current)
                memory dump    refused
                core file      none
                secret memory  64 KiB, all locked (locked if possible)
                new files      private
                new rights     none to be had
                crash report   off

                """)
        #expect(fake.pinRequests.isEmpty)
    }

    @Test func `Status says that the token's module is isolated`() {
        fake.keychain.state.withLock { $0.isModuleIsolated = true }
        let run = Transcript(["status"], on: fake)
        #expect(run.text.contains("\nmodule    isolated: it runs in a process of its own\n"))
        #expect(Transcript(["status", "--json"], on: fake).text.contains("\"isolated\": true"))
    }

    @Test func `Status in JSON has the same facts`() {
        let run = Transcript(["status", "--json"], on: fake)
        #expect(
            run.text == """
                {"folder": "/home/ada/.local/share/keyfob", "uuid": "00000000-0000-0000-0000-000000000001", \
                "token": {"label": "work", "manufacturer": "Acme", "model": "Vault 2", "serial": "8F3A", \
                "uri": "pkcs11:token=work", "software": false, "isolated": false}, \
                "state": "before first unlock", \
                "reason": "nobody has logged in since the keychain was opened or its token came back", \
                "nextStep": "keyfob unlock unlocks it", "pinTriesLeft": null, "items": 0, "classKeys": \
                [{"code": "ak", "accessible": "when-unlocked", "usable": false, "suite": "aes-gcm", \
                "residence": "token, while logged in", "generation": 1, "seals": 7, "items": 0, \
                "needsRotation": false}], "process": {"pid": 71, "uid": 1000, "version": "\(Version.current)", \
                "dumpable": false, "coreLimit": 0, "lockedBytes": 65536, "unlockedBytes": 0, \
                "lockedMemoryLimit": 8388608, "requiresLockedMemory": false, "umask": 63, \
                "noNewPrivileges": true, "printsBacktraces": false}, "daemon": null, \
                "lastLock": null, "autoLock": null, "itemKeyCache": null}

                """)
    }

    @Test(arguments: [
        (LockReason.idle, "idle for 15 minutes"), (.explicit, "on request"), (.signal, "SIGUSR1"),
        (.suspend, "the machine was about to sleep"), (.tokenRemoved, "the token was removed"),
        (.tokenUnblock, "for keyfob token unblock"),
    ])
    func `Status says why the keychain is locked, since when, and what to do`(reason: LockReason, words: String) {
        fake.keychain.state.withLock {
            $0.lastLock = LastLock(reason, time: 86400)
            $0.triggers = LockTriggers(idleSeconds: 900, suspend: .watched)
        }
        let run = Transcript(["status"], on: fake)
        #expect(
            run.text.contains(
                """
                state         locked: \(words)
                locked at     2001-01-02T00:00:00Z; keyfob unlock unlocks it
                locks itself  after 15 minutes without use; before the machine sleeps
                items         0

                """), "\(run.text)")
    }

    @Test func `Status of an unlocked keychain keeps its last lock to itself, but not in JSON`() {
        fake.keychain.state.withLock {
            $0.isUnlocked = true
            $0.lastLock = LastLock(.idle, time: 86400)
        }
        #expect(!Transcript(["status"], on: fake).text.contains("idle"))
        #expect(
            Transcript(["status", "--json"], on: fake).text.contains(
                "\"lastLock\": {\"reason\": \"idle\", \"time\": \"2001-01-02T00:00:00Z\"}"))
    }

    @Test(arguments: [
        (LockTriggers(), "never", "null, \"suspend\": \"unwatched\""),
        (LockTriggers(idleSeconds: 3600), "after 1 hour without use", "3600, \"suspend\": \"unwatched\""),
        (
            LockTriggers(idleSeconds: 90, suspend: .unavailable),
            "after 90 seconds without use; not before sleep: no system bus, or no logind",
            "90, \"suspend\": \"unavailable\""
        ),
    ])
    func `Status says by what the keychain locks itself`(triggers: LockTriggers, words: String, json: String) {
        fake.keychain.state.withLock { $0.triggers = triggers }
        #expect(Transcript(["status"], on: fake).text.contains("locks itself  \(words)\n"))
        #expect(
            Transcript(["status", "--json"], on: fake).text.contains("\"autoLock\": {\"idleSeconds\": \(json)}"))
    }

    @Test func `Unlock checks the PIN and says that the login does not last`() {
        let run = Transcript(["unlock"], on: fake)
        #expect(run.error == "the PIN is right; no daemon keeps the login, so it ends with this command\n")
        #expect(run.status == .success)
        #expect(fake.keychain.state.withLock { $0.logins } == 1)
    }

    @Test func `Where the device asks for the PIN nobody is asked here, unless a source is named`() {
        fake.keychain.state.withLock { $0.hasPINPad = true }
        let run = Transcript(["unlock"], on: fake)
        #expect(run.status == .success)
        #expect(run.lines.first == "enter the PIN on the device of token \"work\" (Vault 2, serial 8F3A)")
        #expect(fake.pinRequests.isEmpty)
        #expect(fake.keychain.state.withLock { $0.deviceLogins } == 1)
        _ = Transcript(["unlock", "--pin-source", "/pin"], on: fake)
        #expect(fake.pinRequests.map(\.explicit) == ["/pin"])
        #expect(fake.keychain.state.withLock { $0.deviceLogins } == 1)
    }

    @Test func `Unlock on a keychain that stays unlocked is silent`() {
        fake.keychain.state.withLock { $0.staysUnlocked = true }
        #expect(Transcript(["unlock"], on: fake).error == "")
        #expect(Transcript(["unlock", "--json"], on: fake).text == "{\"state\": \"unlocked\", \"lasting\": true}\n")
    }

    @Test func `The configured PIN source is passed on`() {
        fake.keychain.state.withLock { $0.configuredPINSource = "file:/pin" }
        _ = Transcript(["unlock"], on: fake)
        #expect(fake.pinRequests.map(\.configured) == ["file:/pin"])
    }

    @Test func `The last try that nobody agreed to spend is explained`() {
        fake.keychain.state.withLock {
            $0.unlockError = KeychainError(.pinFinalTry, .unlock, remedy: .giveFinalTry)
        }
        let run = Transcript(["unlock"], on: fake)
        #expect(
            run.lines.last == "keyfob: hint: if you are sure of the PIN, give --final-try; a wrong one locks the token")
        #expect(run.status == .pinRefused)
    }

    @Test func `Lock locks and says that nothing stays unlocked`() {
        fake.keychain.state.withLock { $0.isUnlocked = true }
        let run = Transcript(["lock"], on: fake)
        #expect(run.status == .success)
        #expect(run.error == "no daemon keeps a login, so the keychain is locked whenever no command runs\n")
        #expect(fake.keychain.state.withLock { $0.isUnlocked } == false)
    }

    @Test func `Verify of an intact keychain counts its items`() {
        fake.keychain.state.withLock { $0.report = VerificationReport(verified: 3) }
        let run = Transcript(["verify"], on: fake)
        #expect(run.text == "items that open: 3\n")
        #expect(run.status == .success)
    }

    @Test func `Verify lists what is damaged and ends with status 9`() throws {
        let uuid = try #require(ItemUUID([UInt8](repeating: 0x11, count: 16)))
        let findings = ["metadata", "value"].map { column in
            VerificationReport.Finding(row: 7, item: uuid, column: column, fault: "does not open")
        }
        fake.keychain.state.withLock { $0.report = VerificationReport(verified: 2, findings: findings) }
        let run = Transcript(["verify"], on: fake)
        #expect(
            run.text == """
                items that open: 2, damaged: 1
                ROW  ITEM                                  COLUMN    FAULT
                7    11111111-1111-1111-1111-111111111111  metadata  does not open
                7    11111111-1111-1111-1111-111111111111  value     does not open

                """)
        #expect(run.lines.first == "keyfob: error: 1 of 3 items do not open whole")
        #expect(run.status == .damaged)
    }

    @Test func `Verify in JSON lists every finding`() throws {
        let uuid = try #require(ItemUUID([UInt8](repeating: 0, count: 16)))
        fake.keychain.state.withLock {
            $0.report = VerificationReport(
                verified: 0, locked: 1, findings: [.init(row: 1, item: uuid, column: "value", fault: "x")])
        }
        #expect(
            Transcript(["verify", "--json"], on: fake).text == """
                {"verified": 0, "locked": 1, "findings": [{"row": 1, "uuid": "00000000-0000-0000-0000-000000000000", \
                "column": "value", "fault": "x"}]}

                """)
    }
}
