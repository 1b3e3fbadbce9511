// SPDX-License-Identifier: Apache-2.0
package import KeyfobWords

/// The command line program, apart from the process that it runs in.
package struct CommandLineTool {
    private let console: Console
    private let access: any KeychainAccess
    private let secrets: any SecretInput

    package init(console: Console, access: any KeychainAccess, secrets: any SecretInput) {
        self.console = console
        self.access = access
        self.secrets = secrets
    }

    /// Runs one command and says why it failed, if it did.
    ///
    /// - Parameter arguments: All but the program's name.
    package func run(_ arguments: [String]) -> ExitStatus {
        do throws(Failure) {
            guard !arguments.isEmpty else {
                console.talk(HelpText.overview)
                return .usage
            }
            let invocation = try ArgumentParser.parse(arguments)
            guard invocation.verb != .sandbox else { return try Sandbox(invocation, console).run() }
            try perform(invocation)
            return .success
        } catch {
            console.report(error)
            return error.status
        }
    }

    private func perform(_ invocation: Invocation) throws(Failure) {
        let context = CommandContext(console: console, access: access, secrets: secrets, invocation: invocation)
        switch invocation.verb {
        case .`init`: try context.initialize()
        case .set: try context.set()
        case .get: try context.get()
        case .list: try context.list()
        case .rm: try context.remove()
        case .unlock: try context.unlock()
        case .lock: try context.lock()
        case .token: try context.token()
        case .status: try context.status()
        case .verify: try context.verify()
        case .group: try context.group()
        case .audit: try context.audit()
        case .access: try context.showAccess()
        case .metrics: try context.metrics()
        // Has a status of its own.
        case .sandbox: break
        case .help: try context.help()
        case .version: try context.version()
        case .completion: try context.completion()
        case .man: try console.write(ManualPage.text)
        }
    }
}
