// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob help`: the list of commands, or the help of one.
    func help() throws(Failure) {
        guard let word = invocation.operands.first else { return try console.write(HelpText.overview + "\n") }
        try console.write(HelpText.of(try ArgumentParser.verb(named: word).spec))
    }

    /// `keyfob version`.
    func version() throws(Failure) {
        try console.write(
            wantsJSON ? JSON.object([("version", .string(Version.current))]).text + "\n" : "keyfob \(Version.current)\n"
        )
    }

    /// `keyfob completion`: a script for one shell.
    func completion() throws(Failure) {
        switch invocation.operands[0] {
        case "bash": try console.write(BashCompletion.script)
        case "zsh": try console.write(ZshCompletion.script)
        case "fish": try console.write(FishCompletion.script)
        default:
            throw Failure(
                .usage, "there are completions for bash, zsh and fish only", hint: "keyfob help completion shows how")
        }
    }
}
