// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords

/// The protocols of internet passwords: Apple's four characters (`kSecAttrProtocol…`) and the words for them.
package enum InternetProtocol {
    /// The words that `--protocol` takes; it takes any four characters too.
    package static let words = table.map(\.word)

    /// The number that the attribute holds, or nil for a word that is neither in the table nor four bytes long.
    package static func number(_ word: String) -> Int64? {
        let code = table.first { $0.word == word }?.code ?? word
        guard code.utf8.count == 4 else { return nil }
        return code.utf8.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The word for a number, or its four characters, or its digits.
    package static func word(_ number: Int64) -> String {
        guard (0...0xFFFF_FFFF).contains(number) else { return String(number) }
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return String(number) }
        let code = String(decoding: bytes, as: UTF8.self)
        return table.first { $0.code == code }?.word ?? code
    }

    private static let table: [(word: String, code: String)] = [
        ("https", "htps"), ("http", "http"), ("ssh", "ssh "), ("ftp", "ftp "), ("ftps", "ftps"), ("smtp", "smtp"),
        ("imap", "imap"), ("imaps", "imps"), ("pop3", "pop3"), ("pop3s", "pops"), ("ldap", "ldap"), ("ldaps", "ldps"),
        ("smb", "smb "), ("afp", "afp "), ("socks", "sox "),
    ]
}
