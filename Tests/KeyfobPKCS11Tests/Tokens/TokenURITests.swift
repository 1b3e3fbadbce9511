// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import Testing

@Suite struct TokenURITests {
    @Test func `The texts of a token are read, percent signs decoded`() throws {
        let uri = try TokenURI("pkcs11:token=My%20token;manufacturer=Maker;model=M1;serial=00ff")
        #expect(uri.label == "My token")
        #expect(uri.manufacturer == "Maker")
        #expect(uri.model == "M1")
        #expect(uri.serial == "00ff")
    }

    @Test func `Texts that a URI lacks match all`() throws {
        let uri = try TokenURI("pkcs11:token=work")
        #expect(uri.serial == nil)
        #expect(uri.matches(.sample(label: "work", serial: "1")))
        #expect(uri.matches(.sample(label: "work", serial: "2")))
        #expect(!uri.matches(.sample(label: "play")))
    }

    @Test(arguments: ["token=other", "serial=43", "model=m2", "manufacturer=other"])
    func `A token that differs in one text does not match`(_ attribute: String) throws {
        let uri = try TokenURI("pkcs11:\(attribute)")
        #expect(!uri.matches(.sample()))
    }

    @Test func `An empty text matches only an empty text`() throws {
        let uri = try TokenURI("pkcs11:token=")
        #expect(uri.matches(.sample(label: "")))
        #expect(!uri.matches(.sample(label: "work")))
    }

    @Test func `The module and the PIN source are read from the query`() throws {
        let uri = try TokenURI("pkcs11:token=t?module-path=/opt/m.so&module-name=soft&pin-source=file:/run/pin")
        #expect(uri.modulePath == "/opt/m.so")
        #expect(uri.moduleName == "soft")
        #expect(uri.pinSource == "file:/run/pin")
    }

    @Test func `A PIN is noticed and never spelled`() throws {
        let uri = try TokenURI("pkcs11:token=t?pin-value=1234")
        #expect(uri.hasPINValue)
        #expect(uri.string == "pkcs11:token=t")
        #expect(!"\(uri)".contains("1234"))
    }

    @Test func `The spelling parses to the same URI`() throws {
        let text = "pkcs11:token=a%3Bb%26c%25%20%C3%A4?pin-source=file:/x%26y&module-path=/a/b.so"
        let uri = try TokenURI(text)
        #expect(uri.label == "a;b&c% ä")
        let again = try TokenURI(uri.string)
        #expect(again == uri)
        #expect(again.string == uri.string)
        #expect(again.pinSource == "file:/x&y")
    }

    @Test func `Two spellings of one URI are equal`() throws {
        #expect(try TokenURI("pkcs11:serial=1;token=a%62") == TokenURI("pkcs11:token=ab;serial=1"))
    }

    @Test func `A token is named by all its texts and its module`() throws {
        let info = TokenInfo.sample(label: "my token")
        let uri = TokenURI.naming(info, modulePath: "/m.so")
        #expect(uri.string == "pkcs11:model=m1;manufacturer=maker;serial=42;token=my%20token?module-path=/m.so")
        #expect(try TokenURI(uri.string) == uri)
        #expect(uri.matches(info))
    }

    @Test func `A text with a NUL is refused and not cut`() {
        #expect(failure { _ = try TokenURI("pkcs11:token=a\0b") }?.fault == .invalidURI(.notText))
    }

    @Test func `Attributes of objects are dropped`() throws {
        #expect(try TokenURI("pkcs11:token=t;object=key;type=private;id=%01").string == "pkcs11:token=t")
    }

    @Test func `The library's texts are matched with the module's`() throws {
        let uri = try TokenURI("pkcs11:library-manufacturer=Maker;library-description=Driver")
        #expect(uri.matches(ModuleInfo(manufacturer: "Maker", description: "Driver", version: "1.0")))
        #expect(!uri.matches(ModuleInfo(manufacturer: "Maker", description: "Other", version: "1.0")))
        #expect(!uri.matches(ModuleInfo(manufacturer: "Other", description: "Driver", version: "1.0")))
    }

    @Test(arguments: [
        ("http://x", PKCS11Error.URIFault.scheme), ("", .scheme), ("pkcs11:token=%zz", .encoding),
        ("pkcs11:token", .syntax), ("pkcs11:colour=red", .unknownAttribute), ("pkcs11:slot-id=3", .slotAttribute),
        ("pkcs11:slot-description=x", .slotAttribute), ("pkcs11:slot-manufacturer=x", .slotAttribute),
    ])
    func `What is no URI of a token is refused with the reason`(_ text: String, _ fault: PKCS11Error.URIFault) {
        #expect(failure { _ = try TokenURI(text) }?.fault == .invalidURI(fault))
    }
}
