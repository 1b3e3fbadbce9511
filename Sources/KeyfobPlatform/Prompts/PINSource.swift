// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Where a PIN comes from, as an option, a configuration or the `pin-source` of a token URI (RFC 7512 §2.4) says it.
///
/// | text | source |
/// |---|---|
/// | `file:/path`, `file:///path`, `/path` | a file that only its owner may read |
/// | `credential:NAME` | a systemd credential |
/// | `pinentry:` or `pinentry:PROGRAM` | a pinentry program |
/// | `terminal:` | the controlling terminal, without echo |
/// | `-` | standard input, to its end |
package enum PINSource: Hashable, Sendable {
    case file(path: String)
    case credential(name: String)
    case pinentry(program: String)
    case terminal
    case standardInput

    /// The source that a text names.
    ///
    /// A relative path counts from `folder`; without one it is refused.
    ///
    /// - Throws: `.configurationInvalid` for any other text, `|command` among them: Keyfob runs no command for a PIN.
    ///   The error does not hold the text, as people write the PIN itself there.
    package init(_ text: String, relativeTo folder: String? = nil) throws(KeychainError) {
        if text.hasPrefix("|") { throw Self.refused("commands are not run") }
        if text == "-" {
            self = .standardInput
        } else if text == "terminal:" {
            self = .terminal
        } else if let program = Self.rest(of: text, after: "pinentry:") {
            self = .pinentry(program: program.isEmpty ? Pinentry.defaultProgram : program)
        } else if let name = Self.rest(of: text, after: "credential:") {
            guard !name.isEmpty else { throw Self.refused("a credential without a name") }
            self = .credential(name: name)
        } else {
            self = .file(path: try Self.path(text, folder))
        }
    }

    /// The text that stands for the source.
    package var text: String {
        switch self {
        case .file(let path): "file:\(path)"
        case .credential(let name): "credential:\(name)"
        case .pinentry(let program): "pinentry:\(program)"
        case .terminal: "terminal:"
        case .standardInput: "-"
        }
    }

    /// Whether a person is asked, so that asking again after a wrong entry makes sense.
    package var isInteractive: Bool {
        switch self {
        case .pinentry, .terminal: true
        case .file, .credential, .standardInput: false
        }
    }

    private static func path(_ text: String, _ folder: String?) throws(KeychainError) -> String {
        let path: String
        if let local = rest(of: text, after: "file://") {
            guard local.hasPrefix("/") else { throw refused("a file of another host") }
            path = local
        } else {
            path = rest(of: text, after: "file:") ?? text
        }
        guard !path.isEmpty, !path.utf8.contains(0) else { throw refused("no path") }
        if path.hasPrefix("/") { return path }
        guard let folder else { throw refused("not an absolute path") }
        return "\(folder)/\(path)"
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    private static func refused(_ fault: String) -> KeychainError {
        KeychainError(
            .configurationInvalid, .configure, subject: .parameter("pin-source"),
            cause: .format(place: "pin-source", fault: fault), remedy: .fixConfiguration)
    }
}
