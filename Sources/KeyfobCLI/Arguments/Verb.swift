// SPDX-License-Identifier: Apache-2.0

/// What the command line can do; the raw value is what people type.
package enum Verb: String, CaseIterable, Hashable, Sendable {
    case `init`
    case set
    case get
    case list
    case rm
    case unlock
    case lock
    case token
    case status
    case verify
    case group
    case audit
    case access
    case metrics
    case sandbox
    case help
    case version
    case completion
    case man
}

/// What help, completions, the manual page and the parser know of a verb.
package struct VerbSpec: Sendable {
    package let verb: Verb
    /// What it does, in a few words without a capital or a full stop.
    package let summary: String
    /// What stands after it besides options, as usage lines show it; empty: nothing.
    package let operands: String
    package let operandCount: ClosedRange<Int>
    package let options: [OptionName]
    /// Options that mean something else to this verb than to the others.
    package let meanings: [OptionName: OptionSpec]
    /// Paragraphs that say what the summary cannot.
    package let details: [String]
    /// Commands that work, each with what it does.
    package let examples: [(command: String, does: String)]
    /// Whether the list of commands leaves it out.
    package let isHidden: Bool

    /// Whether the operands are a command: its own options begin with the first of them.
    package var takesCommand: Bool { verb == .sandbox }

    /// The options as this verb means them.
    package var optionSpecs: [OptionSpec] { options.map { meanings[$0] ?? $0.spec } }

    /// The words that shells offer as its first operand.
    package var operandWords: [String] {
        switch verb {
        case .token: ["change-pin", "unblock"]
        case .group: ["list", "move"]
        case .audit: ["verify"]
        case .access: ["check", "who"]
        case .help: Verb.allCases.filter { !$0.spec.isHidden }.map(\.rawValue)
        default: []
        }
    }

    /// `keyfob set NAME [options]`.
    package var usage: String {
        guard !takesCommand else { return "keyfob \(verb.rawValue) [options] \(operands)" }
        return "keyfob \(verb.rawValue)" + (operands.isEmpty ? "" : " \(operands)")
            + (options == [.help] ? "" : " [options]")
    }
}
