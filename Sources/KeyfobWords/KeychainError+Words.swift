// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPlatform

extension KeychainError.Subject {
    /// What the error is about, as messages name it.
    package var words: String {
        switch self {
        case .item(let reference):
            "item \(reference.uuid.description) of class \(ItemClassName(reference.itemClass).word)"
        case .token(let identity): identity.words
        case .tokenURI(let uri): Printable.text(uri)
        case .path(let path): Printable.text(path)
        case .parameter(let name): Printable.text(name)
        case .classKey(let accessibility): "class key \(accessibility.code) (\(accessibility.word))"
        case .accessGroup(let group): "access group \(Printable.quoted(group.name))"
        case .daemon(let socket): "daemon at \(Printable.text(socket))"
        }
    }
}

extension TokenIdentity {
    /// `token "work" (SoftHSM v2, serial 8f3a)`.
    package var words: String {
        "token \(Printable.quoted(label)) (\(Printable.text(model)), serial \(Printable.text(serial)))"
    }
}

extension KeychainError.Cause {
    /// The fault of the layer below: numbers never come without their names.
    package var words: String {
        switch self {
        case .pkcs11(let function, let returnValue):
            "\(function): \(CauseName.pkcs11(returnValue)) (0x\(String(returnValue, radix: 16, uppercase: true)))"
        case .sqlite(let statement, let code):
            "\(statement): \(CauseName.sqlite(code)) (\(code))"
        case .libcrypto(let queue):
            "libcrypto: " + queue.map { "error:\(String($0, radix: 16, uppercase: true))" }.joined(separator: ", ")
        case .posix(let call, let errno):
            "\(call): \(CauseName.posix(errno)) (\(errno))"
        case .format(let place, let fault): Printable.text("\(place): \(fault)")
        case .process(let pid): "process \(pid)"
        }
    }
}

extension KeychainError.Remedy {
    /// What the person should do next.
    package var words: String {
        switch self {
        case .unlock: "unlock it first: keyfob unlock"
        case .insertToken: "insert the token, or start what serves it, and try again"
        case .enterCorrectPIN(let left): "try again with the right PIN\(left.words)"
        case .giveFinalTry: "if you are sure of the PIN, give --final-try; a wrong one locks the token"
        case .unblockWithSO: "the token's security officer has to set a new PIN: keyfob token unblock"
        case .initializeToken: "initialise the token with its maker's tool, then try again"
        case .provision: "keyfob init makes the keys"
        case .stopOwner(let pid): "wait for process \(pid), or stop it, and try again"
        case .freeDiskSpace: "free some space and try again; nothing was changed"
        case .fixPermissions: "only its owner may get at it: chmod go= and chown set that right"
        case .fixConfiguration: "correct the configuration and try again"
        case .raiseLockedMemoryLimit: "raise the limit of locked memory (ulimit -l, or LimitMEMLOCK= in the unit)"
        case .restoreFromBackup: "restore it from a backup"
        case .nameOneToken: "add the serial to the URI: pkcs11:token=…;serial=…"
        case .installModule: "install the token's PKCS #11 module, or name it with module-path= in the URI"
        case .choosePINLength(let minimum, let maximum): "choose a PIN of \(minimum) to \(maximum) bytes"
        case .createKeychain: "make one: keyfob init"
        case .rotate: "no new values can be sealed under this key; read the others and keep them safe"
        case .giveAccessGroup: "an access policy has to give this program the group"
        case .startDaemon: "start it: keyfobd --user, or systemctl start keyfobd"
        case .tryAgain: "try again in a moment"
        case .askOwner: "the keychain's owner or root can do it"
        case .changePIN: "change the PIN: keyfob token change-pin"
        case .choosePIN: "choose another PIN"
        case .allowHostHeld:
            "give `--allow host-held` to have this host hold such keys in its locked memory, or choose another token"
        case .giveKeyID: "name the pair that the keychain is to use: --key-id, with --allow host-held"
        case .remakeToken: "only its maker's tool can make the token anew; the keys on it are lost then"
        case .updateKeyfob: "install one version of Keyfob on both ends, then restart the daemon and the program"
        }
    }
}

extension KeychainError.TriesLeft {
    /// An addition to a sentence about another try.
    fileprivate var words: String {
        switch self {
        case .unknown: ""
        case .few: "; few tries are left before the token locks"
        case .one: "; one try is left before the token locks"
        case .none: "; no try is left"
        }
    }
}
