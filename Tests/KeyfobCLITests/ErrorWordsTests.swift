// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import KeyfobCLI
internal import KeyfobModel
import KeyfobWords
internal import Testing

struct ErrorWordsTests {
    /// A file of the checkout that these tests were built from.
    private func file(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private func rows(_ text: String, columns: Int) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == columns && Int($0[0]) != nil }
    }

    @Test func `Every code of the model has words`() throws {
        let source = try file("Sources/KeyfobModel/Errors/KeychainError+Code.swift")
        let declared = source.matches(of: /static let (\w+) = Self\(rawValue: (\d+)\)/)
            .map { "\($0.output.2) \($0.output.1)" }
        #expect(declared.count > 30)
        #expect(CodeWords.all.map { "\($0.code.rawValue) \($0.name)" } == declared)
    }

    @Test func `The table of docs/errors.md is that of the code`() throws {
        let documented = rows(try file("docs/errors.md"), columns: 4)
        let coded = CodeWords.all.map { words in
            ["\(words.code.rawValue)", words.name, "\(words.status.rawValue)", words.meaning]
        }
        #expect(documented == coded)
    }

    @Test func `The exit statuses of docs/errors.md are those of the code`() throws {
        let documented = rows(try file("docs/errors.md"), columns: 2)
        #expect(documented == ExitStatus.all.map { ["\($0.status.rawValue)", $0.meaning] })
    }

    @Test func `No two exit statuses share a number`() {
        let numbers = ExitStatus.all.map(\.status.rawValue)
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `No message begins with a capital or ends with a full stop`() {
        for words in CodeWords.all {
            #expect(words.meaning.first?.isUppercase == false || words.meaning.hasPrefix("PKCS"))
            #expect(!words.meaning.hasSuffix("."))
        }
    }

    @Test func `A code without words keeps its number`() {
        let failure = Failure(KeychainError(KeychainError.Code(rawValue: 999), .open))
        #expect(failure.what.contains("999"))
        #expect(failure.status == .failure)
    }

    @Test func `A message says what happened, to what, and what the layer below said`() {
        let error = KeychainError(
            .pinLocked, .unlock,
            subject: .token(TokenIdentity(label: "work", manufacturer: "A", model: "M", serial: "8F")),
            cause: .pkcs11(function: "C_Login", returnValue: 0xA4), remedy: .unblockWithSO)
        let failure = Failure(error)
        #expect(
            failure.what
                == "the PIN of the token is locked: token \"work\" (M, serial 8F): C_Login: CKR_PIN_LOCKED (0xA4)")
        #expect(failure.hint == "the token's security officer has to set a new PIN: keyfob token unblock")
        #expect(failure.status == .pinRefused)
    }

    @Test(arguments: [
        (
            KeychainError.Cause.pkcs11(function: "C_Sign", returnValue: 0x8000_0042),
            "C_Sign: CKR_VENDOR_DEFINED (0x80000042)"
        ),
        (.pkcs11(function: "C_Sign", returnValue: 0x7777), "C_Sign: CKR_UNKNOWN (0x7777)"),
        (.sqlite(statement: "insertItem", code: 2067), "insertItem: SQLITE_CONSTRAINT_UNIQUE (2067)"),
        (.sqlite(statement: "open", code: 0x7F0A), "open: SQLITE_IOERR (32522)"),
        (.posix(call: "open", errno: 13), "open: EACCES (13)"),
        (.posix(call: "open", errno: 9999), "open: errno (9999)"),
        (.libcrypto([0x1C80_0066]), "libcrypto: error:1C800066"), (.process(pid: 42), "process 42"),
        (.format(place: "config.json", fault: "no\nobject"), "config.json: no\\u{a}object"),
    ])
    func `A number of the layer below comes with its name`(cause: KeychainError.Cause, words: String) {
        #expect(cause.words == words)
    }

    @Test func `What the command was about is said for items and not for PINs`() {
        #expect(
            Failure(KeychainError(.itemDamaged, .copyMatching), about: "item \"mail\"").what.hasSuffix(
                ": item \"mail\""))
        #expect(!Failure(KeychainError(.pinNotGiven, .prompt), about: "item \"mail\"").what.contains("mail"))
    }

    @Test func `A place is named once`() {
        let error = KeychainError(
            .configurationInvalid, .configure, subject: .path("/k/config.json"),
            cause: .format(place: "/k/config.json", fault: "no object"))
        #expect(Failure(error).what == "the configuration is wrong: /k/config.json: no object")
    }

    @Test func `Whoever may not make the folder is not told to change the rights of another`() {
        let error = KeychainError(
            .permissions, .create, subject: .path("/k"), cause: .posix(call: "mkdir", errno: EACCES),
            remedy: .fixPermissions)
        #expect(
            Failure(error).hint == "you may not make a folder there; name one of your own with --home or KEYFOB_HOME")
    }

    @Test func `An item that is not there is named once`() {
        let what = Failure(KeychainError(.itemNotFound, .delete), about: "item \"mail\"").what
        #expect(what == "there is no item \"mail\"")
    }

    @Test func `A missing PIN without a source says how to give one`() {
        #expect(
            Failure(KeychainError(.pinNotGiven, .prompt, remedy: .fixConfiguration)).hint
                == "run it on a terminal, or name a file with the PIN: --pin-source FILE, or pin-source in config.json")
    }

    @Test func `Subjects are named without anything that moves the cursor`() {
        let token = TokenIdentity(label: "a\u{1B}[2J", manufacturer: "", model: "m", serial: "s")
        #expect(!KeychainError.Subject.token(token).words.contains("\u{1B}"))
        #expect(!KeychainError.Subject.path("a\u{1B}b").words.contains("\u{1B}"))
        #expect(!KeychainError.Subject.accessGroup(AccessGroup("a\u{202E}b")).words.contains("\u{202E}"))
    }
}
