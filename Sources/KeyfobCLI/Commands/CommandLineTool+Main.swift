// SPDX-License-Identifier: Apache-2.0

extension CommandLineTool {
    /// The whole program: the process's arguments, descriptors and keychains.
    package static func main() -> ExitStatus {
        let console = Console.standard()
        do throws(Failure) {
            let arguments = try ProcessArguments.read()
            return CommandLineTool(console: console, access: EmbeddedAccess(), secrets: PlatformSecrets()).run(
                arguments)
        } catch {
            console.report(error)
            return error.status
        }
    }
}
