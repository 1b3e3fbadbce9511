// SPDX-License-Identifier: Apache-2.0

/// Which module a process of its own is to load, as text: what p11-kit carries there is one string, `pReserved` of
/// `C_Initialize`.
///
/// `path` or `name`, a colon, the path or name; then, if the module gets parameters, a line feed and these.
struct HostedModule: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        case path(String)
        case name(String)
    }

    let source: Source
    let parameters: ModuleParameters?

    /// What names it in errors.
    var label: String {
        switch source {
        case .path(let path): path
        case .name(let name): name
        }
    }

    /// - Returns: nil if path or name cannot stand in such a text.
    init?(_ source: Source, parameters: ModuleParameters?) {
        self.source = source
        self.parameters = parameters
        guard !label.isEmpty, !label.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") }) else { return nil }
    }

    /// - Returns: nil for a text that has another form.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = lines[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var parameters: ModuleParameters?
        if lines.count == 2 {
            guard let given = ModuleParameters(String(lines[1])) else { return nil }
            parameters = given
        }
        switch parts[0] {
        case "path": self.init(.path(String(parts[1])), parameters: parameters)
        case "name": self.init(.name(String(parts[1])), parameters: parameters)
        default: return nil
        }
    }

    var text: String {
        let first =
            switch source {
            case .path(let path): "path:\(path)"
            case .name(let name): "name:\(name)"
            }
        return first + (parameters.map { "\n" + $0.text } ?? "")
    }
}
