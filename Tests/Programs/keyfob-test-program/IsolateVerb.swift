// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform

/// Works with tokens whose modules run in processes of their own, command by command from standard input.
///
/// What is isolated changes p11-kit's configuration for the whole process: not for the process of the tests.
struct IsolateVerb {
    private var tokens: [String: Token] = [:]
    private var keys: [String: ObjectHandle] = [:]
    private var sessions: [String: SessionHolder] = [:]

    /// A `Session` in a dictionary.
    private final class SessionHolder {
        let session: Session

        init(_ session: consuming Session) { self.session = session }
    }

    /// Answers each line with one: `ok` and a result, or `error` and the fault.
    static func run() {
        var verb = IsolateVerb()
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            do throws(PKCS11Error) {
                Answer.line("ok " + (try verb.perform(words[0], words[1], words.dropFirst(2).map { $0 })))
            } catch {
                Answer.line("error \(error.fault)")
            }
        }
    }

    private mutating func perform(_ verb: String, _ name: String, _ rest: [String]) throws(PKCS11Error) -> String {
        switch verb {
        case "find":
            let parameters = rest.count > 1 ? ModuleParameters(rest[1]) : nil
            let token = try Token.find(TokenURI(rest[0]), parameters: parameters, isolated: true)
            tokens[name] = token
            return "\(token.identity.label) \(token.module.isIsolated)"
        case "find-here":
            tokens[name] = try Token.find(TokenURI(rest[0]))
            return "found"
        case "drop":
            sessions[name] = nil
            keys[name] = nil
            tokens[name] = nil
            return "dropped"
        default: break
        }
        guard let token = tokens[name] else { return "no token" }
        switch verb {
        case "login":
            let pin: SecretBytes
            do throws(SecretMemoryError) { pin = try SecretBytes(copying: Array(rest[0].utf8)) } catch {
                throw PKCS11Error(.memory(error))
            }
            try token.login(pin)
            return "\(token.isLoggedIn)"
        case "state": return "\(token.isLoggedIn)"
        case "key":
            let holder = SessionHolder(try token.openSession(readWrite: true))
            var template = Template()
            template.set(.secretKey)
            template.set(.genericSecret)
            template.set(.valueLength, 32)
            template.set(.token, false)
            template.set(.sensitive, true)
            template.set(.sign, true)
            keys[name] = try holder.session.generateKey(.genericSecretKeyGeneration, template)
            sessions[name] = holder
            return "made"
        case "sign":
            guard let holder = sessions[name], let key = keys[name] else { return "no key" }
            return unsafe "\(try holder.session.sign(.sha256HMAC, key: key, [1, 2, 3].span.bytes).count)"
        case "restart": return "\(try token.module.reinitialize())"
        case "again":
            sessions[name] = nil
            try token.findAgain()
            return "found"
        default: return "what?"
        }
    }
}
