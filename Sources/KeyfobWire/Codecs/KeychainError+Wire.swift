// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension KeychainError {
    enum Tag {
        static let code: UInt8 = 1
        static let operation: UInt8 = 2
        static let subject: UInt8 = 3
        static let cause: UInt8 = 4
        static let remedy: UInt8 = 5
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.code, UInt32(code.rawValue))
        sink.field(Tag.operation, operation.rawValue)
        if let subject {
            let mark = sink.begin(Tag.subject)
            subject.encode(&sink)
            sink.end(mark)
        }
        if let cause {
            let mark = sink.begin(Tag.cause)
            cause.encode(&sink)
            sink.end(mark)
        }
        if let remedy {
            let mark = sink.begin(Tag.remedy)
            remedy.encode(&sink)
            sink.end(mark)
        }
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var code: Code?
        var operation: Operation?
        var subject: Subject?
        var cause: Cause?
        var remedy: Remedy?
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.code:
                guard let number = UInt16(exactly: try WireValue.number32(bytes, field.range)) else {
                    throw WireError(at: field.range.lowerBound, .badValue)
                }
                code = Code(rawValue: number)
            case Tag.operation: operation = try WireValue.known(bytes, field.range)
            case Tag.subject: subject = try Subject(bytes, field.range)
            case Tag.cause: cause = try Cause(bytes, field.range)
            case Tag.remedy: remedy = try Remedy(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let code, let operation else { throw WireError(at: bytes.byteCount, .missingField) }
        self.init(code, operation, subject: subject, cause: cause, remedy: remedy)
    }
}

/// A kind, then what the kind has; the last text goes to the end.
extension KeychainError.Subject {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch self {
        case .item(let reference):
            sink.put(UInt8(1))
            unsafe sink.put(reference.bytes.span.bytes)
        case .token(let identity):
            sink.put(UInt8(2))
            identity.encode(&sink)
        case .tokenURI(let uri): sink.kind(3, uri)
        case .path(let path): sink.kind(4, path)
        case .parameter(let name): sink.kind(5, name)
        case .classKey(let accessibility):
            sink.put(UInt8(6))
            sink.put(accessibility.rawValue)
        case .accessGroup(let group):
            sink.put(UInt8(7))
            group.utf8.withBytes { sink.put($0) }
        case .daemon(let socket): sink.kind(8, socket)
        }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        switch try cursor.byte(bytes) {
        case 1: self = .item(try PersistentReference(bytes, cursor.rest()))
        case 2:
            self = .token(try TokenIdentity(bytes, &cursor))
            try cursor.finish()
        case 3: self = .tokenURI(try WireValue.text(bytes, cursor.rest()))
        case 4: self = .path(try WireValue.text(bytes, cursor.rest()))
        case 5: self = .parameter(try WireValue.text(bytes, cursor.rest()))
        case 6: self = .classKey(try WireValue.known(bytes, cursor.rest()))
        case 7: self = .accessGroup(AccessGroup(utf8: try WireValue.wiped(bytes, cursor.rest())))
        case 8: self = .daemon(try WireValue.text(bytes, cursor.rest()))
        default: throw WireError(at: range.lowerBound, .badValue)
        }
    }
}

extension KeychainError.Cause {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch self {
        case .pkcs11(let function, let returnValue):
            sink.put(UInt8(1))
            sink.put(UInt64(returnValue))
            unsafe sink.put(function.utf8Span.span.bytes)
        case .sqlite(let statement, let code):
            sink.put(UInt8(2))
            sink.put(UInt32(bitPattern: code))
            unsafe sink.put(statement.utf8Span.span.bytes)
        case .libcrypto(let queue):
            sink.put(UInt8(3))
            for number in queue { sink.put(UInt64(number)) }
        case .posix(let call, let errno):
            sink.put(UInt8(4))
            sink.put(UInt32(bitPattern: errno))
            unsafe sink.put(call.utf8Span.span.bytes)
        case .format(let place, let fault):
            sink.put(UInt8(5))
            sink.sized(place)
            unsafe sink.put(fault.utf8Span.span.bytes)
        case .process(let pid):
            sink.put(UInt8(6))
            sink.put(UInt32(bitPattern: pid))
        }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        switch try cursor.byte(bytes) {
        case 1:
            let value = UInt(try cursor.number64(bytes))
            self = .pkcs11(function: try WireValue.text(bytes, cursor.rest()), returnValue: value)
        case 2:
            let code = Int32(bitPattern: try cursor.number32(bytes))
            self = .sqlite(statement: try WireValue.text(bytes, cursor.rest()), code: code)
        case 3:
            var queue: [UInt] = []
            while !cursor.isAtEnd { queue.append(UInt(try cursor.number64(bytes))) }
            self = .libcrypto(queue)
        case 4:
            let number = Int32(bitPattern: try cursor.number32(bytes))
            self = .posix(call: try WireValue.text(bytes, cursor.rest()), errno: number)
        case 5:
            let place = try WireValue.text(bytes, try cursor.sized(bytes))
            self = .format(place: place, fault: try WireValue.text(bytes, cursor.rest()))
        case 6: self = .process(pid: Int32(bitPattern: try WireValue.number32(bytes, cursor.rest())))
        default: throw WireError(at: range.lowerBound, .badValue)
        }
    }
}

extension TokenIdentity {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        for text in [label, manufacturer, model, serial] { sink.sized(text) }
    }

    init(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        self.init(
            label: try WireValue.text(bytes, try cursor.sized(bytes)),
            manufacturer: try WireValue.text(bytes, try cursor.sized(bytes)),
            model: try WireValue.text(bytes, try cursor.sized(bytes)),
            serial: try WireValue.text(bytes, try cursor.sized(bytes)))
    }
}

extension WireSink {
    /// A kind and a text.
    fileprivate mutating func kind(_ number: UInt8, _ text: String) {
        put(number)
        unsafe put(text.utf8Span.span.bytes)
    }
}
