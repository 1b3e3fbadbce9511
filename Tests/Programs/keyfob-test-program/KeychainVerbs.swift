// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform

/// What is done to a keychain as a whole, on the engine itself.
enum KeychainVerbs {
    /// Makes the keychain of `KEYFOB_HOME` with a software token.
    static func make(pinFile: String) throws {
        let engine = try KeychainEngine.create(
            try KeychainHome.resolve(), KeychainPlan(pinSource: "file:" + pinFile), pin: try SecretFile.read(pinFile))
        engine.close()
    }

    /// Opens the keychain and keeps it until told to go; says who has it if somebody has.
    static func own() throws {
        do throws(KeychainError) {
            let engine = try KeychainEngine.open(try KeychainHome.resolve())
            Answer.pause("open \(getpid())")
            engine.close()
        } catch {
            var holder = "nobody"
            if case .process(let pid) = error.cause { holder = String(pid) }
            Answer.line("\(error.code == .keychainInUse ? "in use" : "other") \(holder)")
        }
    }

    /// Opens and unlocks with the configured PIN file.
    static func unlocked() throws(KeychainError) -> KeychainEngine {
        let engine = try KeychainEngine.open(try KeychainHome.resolve())
        guard let text = engine.configuredPINSource, case .file(let path) = try PINSource(text) else {
            throw KeychainError(.pinNotGiven, .open)
        }
        try engine.unlock(try SecretFile.read(path))
        return engine
    }

    /// Lists what a login-less search on the keychain's token finds: the labels of the objects, one a line.
    static func objects() throws {
        let engine = try KeychainEngine.open(try KeychainHome.resolve())
        let token = try Token.find(try TokenURI(engine.configuration.token))
        let session = try token.openSession(readWrite: false)
        var template = Template()
        template.set(.token, true)
        for object in try session.find(template, limit: 100) {
            Answer.line(String(decoding: try session.bytes(of: object, .label) ?? [], as: UTF8.self))
        }
        engine.close()
    }

    /// Adds items numbered from `first` on, one after the other, and tells each that is durable; until it is killed.
    static func addMany(from first: Int) throws {
        let service = try unlocked().service(for: .current())
        Answer.line("ready")
        for number in first... {
            let value = Array("value of \(number)".utf8)
            _ = try service.add(
                AddRequest(
                    itemClass: .genericPassword,
                    attributes: [.service: .text("killed"), .account: .text("\(number)"), .label: .text("n")],
                    value: try SecretBytes(copying: value)))
            Answer.line("\(number)")
        }
    }

    /// Verifies the keychain and lists accounts and values of the items that `addMany` made.
    static func audit() throws {
        let engine = try unlocked()
        let report = try engine.verify()
        Answer.line("verified \(report.verified) findings \(report.findings.count)")
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("killed")])
        do throws(KeychainError) {
            let answer = try engine.service(for: .current()).copyMatching(
                MatchRequest(query, limit: .all, returns: [.attributes, .data]))
            for item in answer.items {
                guard case .text(let account)? = item.attributes?[.account] else { continue }
                let value = answer.withValue(of: item) { value in
                    guard let value else { return "none" }
                    return WipedBytes(copying: value).string
                }
                Answer.line("\(account.string)=\(value)")
            }
        } catch {
            guard error.code == .itemNotFound else { throw error }
        }
        engine.close()
    }

    /// Verifies the audit log and says how many adds it has.
    static func auditLog() throws {
        let engine = try KeychainEngine.open(try KeychainHome.resolve())
        let found = try engine.verifyAudit()
        Answer.line("findings \(found.findings.count)")
        let adds = try engine.audit(AuditQuery(limit: .max)).filter {
            $0.event.action == .add && $0.event.result == nil
        }
        Answer.line("\(adds.count)")
        engine.close()
    }

    /// Adds one item of each class if there is none, then says for each class what reading it answers: `ok` or a code.
    static func states() throws {
        if CommandLine.arguments.contains("fill") {
            let engine = try unlocked()
            let service = engine.service(for: .current())
            for accessible in Accessibility.allCases {
                _ = try service.add(
                    AddRequest(
                        itemClass: .genericPassword, attributes: [.service: .text(accessible.code)],
                        accessibility: accessible, value: try SecretBytes(copying: [1])))
            }
            engine.close()
            return
        }
        let engine = try KeychainEngine.open(try KeychainHome.resolve())
        let service = engine.service(for: .current())
        for accessible in Accessibility.allCases {
            let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(accessible.code)])
            do throws(KeychainError) {
                _ = try service.copyMatching(MatchRequest(query, returns: .data))
                Answer.line("\(accessible.code) ok")
            } catch {
                Answer.line("\(accessible.code) \(error.code == .interactionNotAllowed ? "locked" : "other")")
            }
        }
        engine.close()
    }
}
