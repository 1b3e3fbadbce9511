// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// Which attributes a request may carry: those that `Security` makes of a dictionary, and nothing else.
///
/// The engine takes a request for parsed and normalised. A frame may come from anybody, so it is held to that here:
/// otherwise one program could store what the others of its group cannot read.
struct AttributeRule {
    private let itemClass: ItemClass
    private let excluded: [AttributeName]

    /// The attributes of a query.
    init(query itemClass: ItemClass) {
        self.itemClass = itemClass
        excluded = Self.withFields
    }

    /// The attributes of an item that is added, or that an update sets.
    init(setting itemClass: ItemClass) {
        self.itemClass = itemClass
        excluded = Self.notSettable
    }

    private static let withFields: [AttributeName] = [.accessGroup, .synchronizable, .accessible, .accessControl]
    /// Those, and what the keychain itself sets.
    private static let notSettable = withFields + [.modificationDate, .sha1, .tombstone, .multiUser]

    /// Throws unless every attribute may be there and is of its kind.
    ///
    /// - Throws: `.invalidParameter` naming the attribute.
    func check(_ attributes: AttributeSet, _ operation: KeychainError.Operation) throws(KeychainError) {
        for (name, value) in attributes where !allows(name, value) {
            throw KeychainError(.invalidParameter, operation, subject: .parameter(name.code))
        }
    }

    /// Whether the class has the attribute, the request may name it, and the value is of its kind.
    func allows(_ name: AttributeName, _ value: AttributeValue) -> Bool {
        guard !excluded.contains(name), let kind = itemClass.schema(of: name)?.kind else { return false }
        switch (kind, value) {
        case (.blob, .text(let text)), (.number, .text(let text)), (.text, .text(let text)): return text.isUTF8
        case (.blob, .data), (.blob, .number), (.data, .data), (.number, .number): return true
        case (.date, .date(let seconds)): return seconds.isFinite
        case (.blob, .date), (.data, _), (.number, _), (.text, _), (.date, _), (.accessControl, _): return false
        }
    }
}

extension WipedBytes {
    /// Whether the bytes are UTF-8.
    var isUTF8: Bool { unsafe withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) } != nil }
}
