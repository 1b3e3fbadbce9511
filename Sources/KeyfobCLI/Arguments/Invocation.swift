// SPDX-License-Identifier: Apache-2.0

/// A command as parsed: its verb, options and operands all fit the verb's table.
package struct Invocation: Hashable, Sendable {
    package let verb: Verb
    /// What stands after the verb besides options.
    package let operands: [String]
    private let values: [OptionName: [String]]

    init(verb: Verb, operands: [String] = [], values: [OptionName: [String]] = [:]) {
        self.verb = verb
        self.operands = operands
        self.values = values
    }

    /// The value of an option, or nil if it was not given.
    package subscript(name: OptionName) -> String? { values[name]?.last }

    /// The values of an option that may be repeated, in their order.
    package func all(_ name: OptionName) -> [String] { values[name] ?? [] }

    /// Whether the option was given.
    package func has(_ name: OptionName) -> Bool { values[name] != nil }
}
