// SPDX-License-Identifier: Apache-2.0
internal import KeyfobClient
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform

/// Asks the daemon for everything that only its owner may have, and tells what came of each: `allowed` or `refused`.
enum OwnerVerb {
    static func run() throws {
        let client = DaemonClient(sockets: DaemonSocket.candidates)
        let pin = try SecretBytes(copying: (0..<24).map { _ in UInt8.random(in: 0x30...0x39) })
        tell("lock") { () throws(KeychainError) in try client.lock() }
        tell("unlock") { () throws(KeychainError) in try client.unlock(pin, finalTry: false) }
        tell("final unlock") { () throws(KeychainError) in try client.unlock(pin, finalTry: true) }
        tell("groups") { () throws(KeychainError) in _ = try client.accessGroups() }
        tell("move") { () throws(KeychainError) in
            _ = try client.moveAccessGroup(AccessGroup("ACME.shop"), to: AccessGroup("ACME.mail"))
        }
        tell("change PIN") { () throws(KeychainError) in try client.changePIN(from: pin, to: pin, finalTry: true) }
        tell("unblock") { () throws(KeychainError) in
            try client.unblock(pin, securityOfficerPIN: pin, destroying: 0, finalTry: true)
        }
        tell("verify") { () throws(KeychainError) in _ = try client.verify { _, _ in } }
        tell("metrics") { () throws(KeychainError) in _ = try client.metrics() }
    }

    private static func tell(_ name: String, _ call: () throws(KeychainError) -> Void) {
        do throws(KeychainError) {
            try call()
            Answer.line("\(name) allowed")
        } catch {
            Answer.line("\(name) \(error.code == .notOwner ? "refused" : "\(error.code)")")
        }
    }
}
