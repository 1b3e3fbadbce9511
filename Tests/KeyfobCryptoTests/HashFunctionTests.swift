// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import Testing

struct HashFunctionTests {
    /// FIPS 180-4's example, the message "abc".
    @Test(arguments: [
        (HashFunction.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `The digest of abc is the published one`(function: HashFunction, digest: String) throws {
        #expect(try function.digest(of: Array("abc".utf8)) == hex(digest))
    }

    @Test(arguments: HashFunction.allCases)
    func `The digest of nothing has the size of the function`(function: HashFunction) throws {
        #expect(try function.digest(of: [UInt8]()).count == function.size)
    }
}
