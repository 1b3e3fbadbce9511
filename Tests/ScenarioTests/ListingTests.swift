// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

/// That the command lists and searches without a call on the token, on a keychain that a daemon has open.
@Suite struct ListingTests {
    /// What an operation on the token, or a search on it, begins or ends with.
    private static let work = [
        "C_DecryptInit", "C_Decrypt", "C_EncryptInit", "C_Encrypt", "C_SignInit", "C_Sign", "C_DeriveKey",
        "C_UnwrapKey",
        "C_FindObjectsInit", "C_CopyObject", "C_Login",
    ]

    @Test func `No list and no search of the command asks the token`() throws {
        let lab = try DaemonLab()
        let script = MockScriptFile(lab.runtime + "/script")
        let mock = try DaemonPrograms.path("libCKeyfobMockModule.so")
        try lab.editConfiguration { text in
            text.replacing(#/module-path=[^"&]*/#, with: "module-path=\(mock)")
        }
        try lab.start(environment: script.environment)
        for name in ["mail", "news"] { #expect(try lab.run(["save", name, "ann", "pw"], as: .shop) == ["0"]) }
        // What is made at a first use is made.
        #expect(try lab.keyfob(["list"], as: .shop).status == 0)
        try script.write(script.logs)
        let lists = [
            [], ["mail"], ["--json"], ["--account", "ann"], ["--contains", "ews"], ["--class", "internet"],
            ["--accessible", "when-unlocked"], ["nothing"],
        ]
        for options in lists { #expect(try lab.keyfob(["list"] + options, as: .shop).status == 0, "\(options)") }
        #expect(try lab.keyfob(["list"], as: .shop).output.joined().contains("news"))
        for function in Self.work { #expect(script.calls(of: function) == 0, "\(function)") }
        // The log is one that a call would be in.
        #expect(try lab.keyfob(["get", "mail", "--account", "ann"], as: .shop).status == 0)
        #expect(script.calls(of: "C_Decrypt") == 1)
    }
}
