// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Enumerated values and keys stored by their constants and found by the literal strings of section 2.
///
/// The strings of the constants themselves need no keychain: SecurityTests compares them all.
@Suite(.lendsTokens) struct ConstantValueTests {
    @Test(arguments: Mode.allCases, protocols) func `Every protocol of section 2 is kept`(
        mode: Mode, value: EnumeratedValue
    ) throws {
        try value.row(of: kSecAttrProtocol, "ptcl").run(mode)
    }

    @Test(arguments: Mode.allCases, authenticationTypes) func `Every authentication type of section 2 is kept`(
        mode: Mode, value: EnumeratedValue
    ) throws {
        try value.row(of: kSecAttrAuthenticationType, "atyp").run(mode)
    }

    @Test(arguments: Mode.allCases, accessibilities) func `Every accessibility of section 2 is kept`(
        mode: Mode, value: EnumeratedValue
    ) throws {
        try value.row(of: kSecAttrAccessible, "pdmn").run(mode)
    }

    @Test(arguments: Mode.allCases, literalRows)
    func `Keys and values of section 2 work as literal strings`(mode: Mode, row: Row) throws { try row.run(mode) }

    /// A constant and the string that it must hold.
    struct EnumeratedValue: Sendable, CustomTestStringConvertible {
        let constant: String
        let literal: String

        init(_ constant: CFString, _ literal: String) {
            self.constant = constant as String
            self.literal = literal
        }

        var testDescription: String { "2 “\(literal)”" }

        func row(of key: CFString, _ code: String) -> Row {
            let key = key as String
            return Row("2 \(code) “\(literal)”") {
                let key = NSString(string: key)
                #expect(add(inet([key: NSString(string: constant)])) == errSecSuccess)
                #expect(find(inet([NSString(string: code): literal])) == errSecSuccess)
                #expect(attributes(inet())[code] as? String == literal)
            }
        }
    }

    private static let protocols: [EnumeratedValue] = [
        .init(kSecAttrProtocolFTP, "ftp "), .init(kSecAttrProtocolFTPAccount, "ftpa"),
        .init(kSecAttrProtocolHTTP, "http"), .init(kSecAttrProtocolIRC, "irc "),
        .init(kSecAttrProtocolNNTP, "nntp"), .init(kSecAttrProtocolPOP3, "pop3"),
        .init(kSecAttrProtocolSMTP, "smtp"), .init(kSecAttrProtocolSOCKS, "sox "),
        .init(kSecAttrProtocolIMAP, "imap"), .init(kSecAttrProtocolLDAP, "ldap"),
        .init(kSecAttrProtocolAppleTalk, "atlk"), .init(kSecAttrProtocolAFP, "afp "),
        .init(kSecAttrProtocolTelnet, "teln"), .init(kSecAttrProtocolSSH, "ssh "),
        .init(kSecAttrProtocolFTPS, "ftps"), .init(kSecAttrProtocolHTTPS, "htps"),
        .init(kSecAttrProtocolHTTPProxy, "htpx"), .init(kSecAttrProtocolHTTPSProxy, "htsx"),
        .init(kSecAttrProtocolFTPProxy, "ftpx"), .init(kSecAttrProtocolSMB, "smb "),
        .init(kSecAttrProtocolRTSP, "rtsp"), .init(kSecAttrProtocolRTSPProxy, "rtsx"),
        .init(kSecAttrProtocolDAAP, "daap"), .init(kSecAttrProtocolEPPC, "eppc"),
        .init(kSecAttrProtocolIPP, "ipp "), .init(kSecAttrProtocolNNTPS, "ntps"),
        .init(kSecAttrProtocolLDAPS, "ldps"), .init(kSecAttrProtocolTelnetS, "tels"),
        .init(kSecAttrProtocolIMAPS, "imps"), .init(kSecAttrProtocolIRCS, "ircs"),
        .init(kSecAttrProtocolPOP3S, "pops"),
    ]

    private static let authenticationTypes: [EnumeratedValue] = [
        .init(kSecAttrAuthenticationTypeNTLM, "ntlm"), .init(kSecAttrAuthenticationTypeMSN, "msna"),
        .init(kSecAttrAuthenticationTypeDPA, "dpaa"), .init(kSecAttrAuthenticationTypeRPA, "rpaa"),
        .init(kSecAttrAuthenticationTypeHTTPBasic, "http"), .init(kSecAttrAuthenticationTypeHTTPDigest, "httd"),
        .init(kSecAttrAuthenticationTypeHTMLForm, "form"), .init(kSecAttrAuthenticationTypeDefault, "dflt"),
    ]

    private static let accessibilities: [EnumeratedValue] = [
        .init(kSecAttrAccessibleWhenUnlocked, "ak"), .init(kSecAttrAccessibleAfterFirstUnlock, "ck"),
        .init(kSecAttrAccessibleAlways, "dk"), .init(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
        .init(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
        .init(kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
        .init(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
    ]

    private static let literalRows: [Row] = [
        Row("2 m_Limit and m_LimitAll") {
            add(password("a"))
            add(password("b"))
            let found = copying(genp(["m_Limit": "m_LimitAll", "r_Data": true])).array
            #expect(found?.count == 2)
        },
        Row("2 m_Limit and m_LimitOne") {
            add(password("a"))
            #expect(copying(genp(["m_Limit": "m_LimitOne", "r_Data": true])).data == bytes("a"))
        },
        Row("2 r_Data, r_Attributes and r_PersistentRef") {
            add(password())
            let found = copying(genp(["r_Data": true, "r_Attributes": true, "r_PersistentRef": true])).dictionary
            #expect(found?["acct"] as? String == "bob")
            #expect(found?["v_Data"] as? Data == bytes("bob"))
            #expect(found?["v_PersistentRef"] is Data)
        },
        Row("2 r_Ref") {
            add(password())
            #expect(copying(genp(["r_Ref": true, "r_Data": true])).dictionary?["class"] as? String == "genp")
        },
        Row("2 v_Data") {
            #expect(add(["class": "genp", "acct": "bob", "v_Data": bytes("x")]) == errSecSuccess)
            #expect(value(["class": "genp", "acct": "bob"]) == "x")
        },
        Row("2 v_PersistentRef", gives: errSecSuccess) {
            add(password())
            return find(["v_PersistentRef": reference(genp()) ?? Data()])
        },
        Row("2 sync and syna") {
            add(password("a", ["sync": true]))
            #expect(find(genp()) == errSecItemNotFound)
            #expect(find(genp(["sync": "syna"])) == errSecSuccess)
        },
        Row("2 agrp", gives: errSecSuccess) {
            add(password())
            return find(genp(["agrp": ownGroup]))
        },
        Row("2 u_AuthUI with u_AuthUIS, u_AuthUIF and u_AuthUIA") {
            add(password())
            for word in ["u_AuthUIS", "u_AuthUIF", "u_AuthUIA"] {
                #expect(find(genp(["u_AuthUI": word])) == errSecSuccess)
            }
        },
        Row("2 u_OpPrompt and u_NoAuthUI", gives: errSecSuccess) {
            add(password())
            return find(genp(["u_OpPrompt": "please", "u_NoAuthUI": true]))
        },
    ]
}
