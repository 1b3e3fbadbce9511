// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform
package import KeyfobWords

extension CommandLineTool {
    /// The whole program: the process's arguments, descriptors and keychains.
    package static func main() -> ExitStatus {
        StandardDescriptors.occupy()
        let console = Console.standard()
        do throws(Failure) {
            let arguments = try ProcessArguments.read()
            if !runsCommand(arguments) {
                do throws(KeychainError) { try ProcessHardening.apply() } catch { throw Failure(error) }
                // Life-cycle lines are for services; a person who wants them says so.
                unsafe setenv("KEYFOB_LOG", "warning", 0)
            }
            let tool = CommandLineTool(
                console: console, access: SystemAccess(), secrets: PlatformSecrets(currentFolder: currentFolder()))
            return tool.run(arguments)
        } catch {
            console.report(error)
            return error.status
        }
    }

    /// Whether a command of somebody else is run, which has a right to its umask, its core files and its environment; there
    /// is no secret in this process then.
    private static func runsCommand(_ arguments: [String]) -> Bool {
        // What does not parse is told later.
        (try? ArgumentParser.parse(arguments))?.verb == .sandbox
    }

    /// Nil if there is none: then only absolute paths are taken.
    private static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
