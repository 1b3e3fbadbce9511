// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
import KeyfobWords
internal import Testing

struct ArgumentTests {
    private func failure(_ arguments: String...) -> Failure? {
        do throws(Failure) {
            _ = try ArgumentParser.parse(arguments)
            return nil
        } catch { return error }
    }

    @Test func `Options may stand before the verb, after it and between operands`() throws {
        let invocation = try ArgumentParser.parse(["--home", "/h", "get", "--json", "mail", "-a", "ada"])
        #expect(invocation.verb == .get)
        #expect(invocation.operands == ["mail"])
        #expect(invocation[.home] == "/h")
        #expect(invocation[.account] == "ada")
        #expect(invocation.has(.json))
    }

    @Test(arguments: [["-a", "x=y"], ["-ax=y"], ["--account", "x=y"], ["--account=x=y"]])
    func `A value follows its option or hangs on it`(option: [String]) throws {
        #expect(try ArgumentParser.parse(["get", "mail"] + option)[.account] == "x=y")
    }

    @Test func `Two hyphens end the options`() throws {
        #expect(try ArgumentParser.parse(["get", "--", "--json"]).operands == ["--json"])
    }

    @Test func `The value of an option may begin with a hyphen`() throws {
        #expect(try ArgumentParser.parse(["get", "mail", "-a", "-ada"])[.account] == "-ada")
    }

    @Test(arguments: [
        ("gte", "get"), ("lst", "list"), ("delete", "rm"), ("add", "set"), ("stat", "status"), ("sett", "set"),
    ])
    func `A mistyped verb gets the nearest one`(typed: String, meant: String) {
        #expect(failure(typed)?.hint == "did you mean keyfob \(meant)?")
    }

    @Test func `A word that is near nothing gets no guess`() {
        #expect(failure("xyzzy")?.hint == "keyfob help lists the commands")
    }

    @Test(arguments: [("--jsn", "json"), ("--acount", "account"), ("--acc", "account"), ("--pinsource", "pin-source")])
    func `A mistyped option gets the nearest one of the verb`(typed: String, meant: String) {
        #expect(failure("get", "mail", typed)?.hint == "did you mean --\(meant)?")
    }

    @Test func `An option of another verb is refused by name`() {
        #expect(failure("list", "--strip-newline")?.what == "keyfob list has no option --strip-newline")
    }

    @Test func `An option without its value is refused`() {
        #expect(failure("get", "mail", "--account")?.what == "--account ACCOUNT: the value is missing")
    }

    @Test func `An option that takes no value refuses one`() {
        #expect(failure("get", "mail", "--json=yes")?.what == "--json takes no value")
        #expect(failure("get", "mail", "-hx")?.what == "-h takes no value")
    }

    @Test func `An option that is given twice is refused`() {
        #expect(failure("get", "mail", "-a", "x", "-a", "y")?.what == "--account is given twice")
    }

    @Test(arguments: ["--pin", "--password", "--value", "--pin=hunter2", "-w", "-phunter2"])
    func `A secret in an option is refused with the reason and not repeated`(option: String) {
        let failure = failure("set", "mail", option)
        #expect(failure?.what.hasSuffix("a PIN or a value is never an argument") == true)
        #expect(failure?.what.contains("hunter2") == false)
    }

    @Test func `A missing operand is named`() {
        #expect(failure("get")?.what == "keyfob get: NAME is missing")
    }

    @Test func `Too many operands are refused and not repeated`() {
        #expect(failure("get", "mail", "hunter2")?.what == "keyfob get takes only NAME")
        #expect(failure("status", "hunter2")?.what == "keyfob status takes no operand")
    }

    @Test func `No command is a usage failure`() {
        #expect(failure()?.status == .usage)
        #expect(failure("--json")?.what == "a command is missing")
    }

    @Test(arguments: [["get", "--help"], ["--help", "get"], ["get", "mail", "-h"], ["help", "get"]])
    func `Help of a verb can be asked for in each way`(arguments: [String]) throws {
        let invocation = try ArgumentParser.parse(arguments)
        #expect(invocation.verb == .help)
        #expect(invocation.operands == ["get"])
    }

    @Test func `The version can be asked for as an option`() throws {
        #expect(try ArgumentParser.parse(["--version"]).verb == .version)
    }

    @Test func `Every option of the table is taken by a verb`() {
        let taken = Set(Verb.allCases.flatMap(\.spec.options))
        #expect(OptionName.allCases.filter { !taken.contains($0) } == [])
    }

    @Test func `Every failure names its remedy`() {
        for arguments in [["gte"], ["get"], ["get", "a", "b"], ["get", "a", "--x"], ["set", "a", "b"], ["--json"]] {
            #expect(throws: Failure.self) { try ArgumentParser.parse(arguments) }
            do throws(Failure) { _ = try ArgumentParser.parse(arguments) } catch { #expect(error.hint != nil) }
        }
    }
}

extension ArgumentTests {
    @Test func `Only the access groups of a sandbox may be repeated`() throws {
        let invocation = try ArgumentParser.parse(["sandbox", "--group", "a", "--group=b", "true", "--group", "c"])
        #expect(invocation.all(.group) == ["a", "b"])
        #expect(invocation.operands == ["true", "--group", "c"])
        #expect(throws: Failure.self) { try ArgumentParser.parse(["get", "mail", "--group", "a", "--group", "b"]) }
        #expect(throws: Failure.self) { try ArgumentParser.parse(["sandbox", "--token", "a", "--token", "b", "true"]) }
    }
}
