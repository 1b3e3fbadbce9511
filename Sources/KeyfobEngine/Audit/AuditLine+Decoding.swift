// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel

extension AuditLine {
    /// The line that these bytes, without a line feed, are; nil if they are none.
    ///
    /// Total: any bytes may be given. Nothing is allocated beyond what the bytes themselves hold.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.sizeLimit else { return nil }
        var reader = AuditLineReader(bytes)
        guard reader.take("{\"seq\":"), let sequence = reader.number(), reader.take(",\"time\":\""),
            let time = AuditTime.parse(reader.slice(AuditTime.textSize)), reader.take("\",\"prev\":\""),
            let previous = reader.hexadecimal(digits: 64).flatMap({ Digest256(bytes: $0) }), reader.take("\""),
            let word = reader.text("op"), let action = AuditAction(rawValue: word),
            let content = Self.content(action, &reader), reader.take("}"), reader.isAtEnd
        else { return nil }
        self.init(sequence: sequence, time: time, previous: previous, content: content)
        // One spelling: escapes, order and the absence of empty members are those of the writer.
        guard self.bytes.elementsEqual(bytes) else { return nil }
    }

    private static func content(_ action: AuditAction, _ reader: inout AuditLineReader) -> Content? {
        switch action {
        case .checkpoint:
            guard reader.member("seal"), reader.take("\""), let sealed = reader.hexadecimal(), reader.take("\"") else {
                return nil
            }
            return .checkpoint(sealed: sealed)
        case .recovered:
            guard let word = reader.text("fault"), let fault = AuditRecovery.Fault(rawValue: word),
                let dropped = reader.number("dropped", as: Int.self)
            else { return nil }
            return .recovered(AuditRecovery(fault: fault, dropped: dropped))
        case .lost:
            guard let count = reader.number("count", as: Int.self) else { return nil }
            return .lost(count)
        case .add, .read, .find, .update, .delete, .unlock, .lock, .changePIN, .unblock, .move, .verify, .audit,
            .auditVerify, .reload, .start, .stop:
            return event(action, &reader).map { .access($0) }
        }
    }

    private static func event(_ action: AuditAction, _ reader: inout AuditLineReader) -> AccessEvent? {
        var event = AccessEvent(action)
        if let uid = reader.number("uid", as: UInt32.self) {
            guard let gid = reader.number("gid", as: UInt32.self), let pid = reader.number("pid", as: UInt32.self)
            else { return nil }
            let started = reader.number("started", as: UInt64.self) ?? 0
            let unit = reader.text("unit")
            event.caller = Caller(
                uid: uid, gid: gid, pid: Int32(bitPattern: pid), startTime: started, executable: reader.text("exe"),
                unit: unit)
        }
        if let code = reader.text("class") {
            guard let itemClass = ItemClass(code: code) else { return nil }
            event.itemClass = itemClass
        }
        event.nameDigest = reader.digest("name")
        event.accountDigest = reader.digest("account")
        if reader.member("scopes") {
            guard let scopes = reader.list({ $0.hexadecimal(digits: 32) }) else { return nil }
            event.scopes = scopes
        }
        if reader.member("items") {
            guard let items = reader.list({ $0.uuid() }) else { return nil }
            event.items = items
        }
        event.itemCount = reader.number("count", as: Int.self) ?? 0
        event.givesValue = reader.take(",\"value\":true")
        if let word = reader.text("reason") {
            guard action == .lock, let reason = LockReason(word: word) else { return nil }
            event.lockReason = reason
        }
        guard let result = reader.number("result", as: UInt16.self), let time = reader.number("us", as: Int64.self)
        else { return nil }
        event.result = result == 0 ? nil : KeychainError.Code(rawValue: result)
        event.microseconds = time
        return event
    }
}

/// Takes the parts of a line of the audit log one after the other; what is not there is left for the next try.
struct AuditLineReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// Takes exactly this text, or nothing.
    mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    /// Takes at most so many bytes, whatever they are.
    mutating func slice(_ count: Int) -> ArraySlice<UInt8> {
        let taken = bytes[position...].prefix(count)
        position = taken.endIndex
        return taken
    }

    mutating func member(_ name: String) -> Bool { take(",\"\(name)\":") }

    mutating func number<Number: FixedWidthInteger>(_ name: String, as type: Number.Type) -> Number? {
        guard member(name), let number = number() else { return nil }
        return Number(exactly: number)
    }

    mutating func number() -> UInt64? {
        let digits = bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, digits.count <= 20 else { return nil }
        position = digits.endIndex
        return UInt64(String(decoding: digits, as: UTF8.self))
    }

    /// A string member; nil if it is not next, or no string in UTF-8.
    mutating func text(_ name: String) -> String? {
        guard take(",\"\(name)\":\"") else { return nil }
        var text: [UInt8] = []
        while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
            if take("\\u00") {
                guard let byte = hexadecimal(digits: 2)?.first else { return nil }
                text.append(byte)
            } else {
                if bytes[position] == UInt8(ascii: "\\") { position += 1 }
                guard position < bytes.endIndex else { return nil }
                text.append(bytes[position])
                position += 1
            }
        }
        guard take("\"") else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    /// A member with the 32 digits of a digest.
    mutating func digest(_ name: String) -> [UInt8]? {
        guard take(",\"\(name)\":\""), let digest = hexadecimal(digits: 32), take("\"") else { return nil }
        return digest
    }

    /// Strings in brackets, each taken by `element`; at most so many as an access names.
    mutating func list<Element>(_ element: (inout AuditLineReader) -> Element?) -> [Element]? {
        guard take("[\"") else { return nil }
        var elements: [Element] = []
        repeat {
            guard elements.count < AccessEvent.namedLimit, let next = element(&self), take("\"") else { return nil }
            elements.append(next)
        } while take(",\"")
        return take("]") ? elements : nil
    }

    mutating func uuid() -> ItemUUID? {
        let text = slice(36).filter { $0 != UInt8(ascii: "-") }
        var digits = AuditLineReader(text[...])
        return digits.hexadecimal(digits: 32).flatMap { ItemUUID($0) }
    }

    /// So many lower-case digits as bytes; all that there are if no number is given.
    mutating func hexadecimal(digits count: Int? = nil) -> [UInt8]? {
        let digits = bytes[position...].prefix(count ?? Self.sizeLimit).prefix { Self.value($0) != nil }
        guard digits.count == count ?? digits.count, digits.count.isMultiple(of: 2) else { return nil }
        position = digits.endIndex
        var decoded: [UInt8] = []
        for start in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = Self.value(digits[start]), let low = Self.value(digits[start + 1]) else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    private static let sizeLimit = AuditLine.sizeLimit

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
