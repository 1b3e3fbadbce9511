// SPDX-License-Identifier: Apache-2.0

/// What libsecret and gnome-keyring take, medians in microseconds; nil is what was not measured.
struct SecretServiceTimes {
    /// `secret-tool lookup`, a process of its own.
    var tool: Double?
    /// A lookup of a client that stays.
    var client: Double?

    init() {}

    /// From what `text` printed: a name and a number a line.
    init(reading text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2 else { continue }
            switch words[0] {
            case "tool": tool = Double(words[1])
            case "client": client = Double(words[1])
            default: continue
            }
        }
    }

    var text: String {
        [("tool", tool), ("client", client)].compactMap { name, time in time.map { "\(name) \($0)" } }
            .joined(separator: "\n")
    }

    /// The row of the client that stays, beside a copy through the daemon; nil if there is none.
    ///
    /// - Parameter copy: a copy of one value through the daemon, in microseconds.
    func figure(copy: Double) -> Figure? {
        client.map {
            Figure(
                "libsecret-copy", "copy through libsecret, one client that stays", $0,
                limit: .init(value: copy, words: "copy through the daemon"), goal: .atLeast(10))
        }
    }
}
