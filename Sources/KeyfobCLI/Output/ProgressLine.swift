// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// How far something long is, on one line of a terminal: from half a second on, and ten times a second at most.
///
/// Writes nothing and looks at no clock.
struct ProgressLine: Hashable, Sendable {
    /// What is not worth a line is over by then.
    static let delay = Duration.milliseconds(500)
    static let pause = Duration.milliseconds(100)

    private let what: String
    private let start: Moment
    private var shown: Moment?

    init(_ what: String, start: Moment) {
        self.what = what
        self.start = start
    }

    /// What is to be written now; nil: nothing.
    mutating func text(_ done: Int, of all: Int, now: Moment) -> String? {
        guard done < all, now >= shown.map({ $0 + Self.pause }) ?? start + Self.delay else { return nil }
        shown = now
        return "\r\(what): \(done) of \(all)\u{1B}[K"
    }

    /// What wipes the line when all is over; nil: there is none.
    var end: String? { shown == nil ? nil : "\r\u{1B}[K" }
}

extension CommandContext {
    /// Does something long; says how far it is if a person is there to read it.
    func showingProgress<R: ~Copyable, E: Error>(
        _ what: String, _ work: ((Int, Int) -> Void) throws(E) -> R
    ) throws(E) -> R {
        guard console.errorIsTerminal, !wantsJSON else { return try work { _, _ in } }
        var line = ProgressLine(what, start: .now)
        defer { if let end = line.end { console.show(end) } }
        return try work { done, all in
            if let text = line.text(done, of: all, now: .now) { console.show(text) }
        }
    }
}
