// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobMemory
package import KeyfobModel

/// Asks through a pinentry program (GnuPG's prompts: `pinentry-curses`, `pinentry-tty`, `pinentry-gnome3`, …), which
/// speaks Assuan on its standard input and output.
package struct Pinentry: Sendable {
    /// The name that systems link to the preferred one.
    package static let defaultProgram = "pinentry"

    /// The most bytes of an entry.
    package static let limit = 1024

    private let program: String
    private let environment: PINResolver.Lookup

    /// - Parameter program: a path, or a bare name to look up in `PATH`.
    package init(
        program: String = defaultProgram, environment: @escaping PINResolver.Lookup = { Environment.value($0) }
    ) {
        self.program = program
        self.environment = environment
    }

    /// The entry of the person.
    ///
    /// Blocks until there is one.
    ///
    /// - Throws: `.canceled` if the person will not, `.timedOut` if the program gave up waiting, `.pinLength` above
    ///   `limit` bytes, `.pinNotGiven` if the program cannot be started, ends early or talks nonsense, and the errors
    ///   of memory.
    package func read(_ prompt: PINPrompt) throws(KeychainError) -> SecretBytes {
        let child = try start()
        var conversation = try AssuanConversation.begin(program)
        _ = try conversation.answer(child)
        for option in options {
            // A program that does not know an option works without it.
            _ = try conversation.ask("OPTION \(option)", of: child)
        }
        _ = try conversation.ask("SETTITLE", prompt.title, of: child)
        _ = try conversation.ask("SETDESC", prompt.description, of: child)
        _ = try conversation.ask("SETPROMPT", prompt.label + ":", of: child)
        if let error = prompt.error { _ = try conversation.ask("SETERROR", error, of: child) }
        if let code = try conversation.ask("GETPIN", of: child) {
            if AssuanReply.isCancel(code) { throw KeychainError(.canceled, .prompt) }
            if AssuanReply.isTimeout(code) { throw KeychainError(.timedOut, .prompt) }
            throw conversation.failed("error \(code)")
        }
        return conversation.takeData()
    }

    /// What a program on a terminal needs to know: which one, of what type, with which characters.
    private var options: [String] {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment($0) }.first
        return [
            "ttyname=\(environment("GPG_TTY") ?? "/dev/tty")", environment("TERM").map { "ttytype=\($0)" },
            locale.map { "lc-ctype=\($0)" },
        ].compactMap { $0 }
    }

    private func start() throws(KeychainError) -> ChildProcess {
        do {
            return try ChildProcess.start(program)
        } catch {
            throw KeychainError(
                .pinNotGiven, .prompt, subject: .path(program), cause: .posix(call: error.call, errno: error.errno),
                remedy: .fixConfiguration)
        }
    }
}
