// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel
internal import Security
internal import Synchronization

/// There is no terminal and no pinentry program.
struct Nobody: Person {
    func ask(
        _ kind: Credentials.Kind, _ reason: String?, _ settings: PromptSettings
    ) throws(KeychainError) -> SecretBytes { throw KeychainError(.pinNotGiven, .prompt) }
}

/// A person who types one thing, or cancels.
final class Somebody: Person {
    private let entry: Data?
    private let asked = Mutex<[String?]>([])

    init(_ entry: Data?) { self.entry = entry }

    var reasons: [String?] { asked.withLock { $0 } }

    func ask(
        _ kind: Credentials.Kind, _ reason: String?, _ settings: PromptSettings
    ) throws(KeychainError) -> SecretBytes {
        asked.withLock { $0.append(reason) }
        guard let entry else { throw KeychainError(.canceled, .prompt) }
        do throws(SecretMemoryError) { return try SecretBytes(copying: Array(entry)) } catch {
            throw KeychainError(error, .prompt)
        }
    }
}
