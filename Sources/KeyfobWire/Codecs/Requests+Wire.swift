// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension AddRequest {
    enum Tag {
        static let itemClass: UInt8 = 1
        static let attributes: UInt8 = 2
        static let accessGroup: UInt8 = 3
        static let synchronizable: UInt8 = 4
        static let accessibility: UInt8 = 5
        static let accessControl: UInt8 = 6
        static let value: UInt8 = 7
        static let returns: UInt8 = 8
        static let authenticationUI: UInt8 = 9
        static let pin: UInt8 = 10
        static let applicationPassword: UInt8 = 11
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.itemClass, itemClass.rawValue)
        let mark = sink.begin(Tag.attributes)
        attributes.encode(&sink)
        sink.end(mark)
        if let accessGroup { sink.field(Tag.accessGroup, accessGroup.utf8) }
        sink.field(Tag.synchronizable, isSynchronizable)
        if let accessibility { sink.field(Tag.accessibility, accessibility.rawValue) }
        if let accessControl { sink.field(Tag.accessControl, accessControl.encoded) }
        sink.secret(Tag.value, value)
        sink.field(Tag.returns, returns.rawValue)
        if authenticationUI != .allow { sink.field(Tag.authenticationUI, authenticationUI.rawValue) }
        sink.credentials(credentials, pin: Tag.pin, password: Tag.applicationPassword)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var itemClass: ItemClass?
        var attributes: AttributeSet?
        var accessGroup: AccessGroup?
        var isSynchronizable: Bool?
        var accessibility: Accessibility?
        var accessControl: AccessControl?
        var value: SecretBytes?
        var returns: ReturnFlags?
        var authenticationUI: AuthenticationUI?
        var credentials = ReceivedCredentials()
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.itemClass: itemClass = try WireValue.known(bytes, field.range)
            case Tag.attributes: attributes = try AttributeSet(bytes, field.range)
            case Tag.accessGroup: accessGroup = AccessGroup(utf8: try WireValue.wiped(bytes, field.range))
            case Tag.synchronizable: isSynchronizable = try WireValue.flag(bytes, field.range)
            case Tag.accessibility: accessibility = try WireValue.known(bytes, field.range)
            case Tag.accessControl: accessControl = try AccessControl(bytes, field.range)
            case Tag.value: value = try WireValue.secret(bytes, field.range, limit: WireLimits.valueSize)
            case Tag.returns: returns = try ReturnFlags(bytes, field.range)
            case Tag.authenticationUI:
                authenticationUI = try WireValue.known(bytes, field.range)
                // Missing is the one form of it.
                guard authenticationUI != .allow else { throw WireError(at: field.range.lowerBound, .badValue) }
            case Tag.pin: try credentials.takePIN(bytes, field.range)
            case Tag.applicationPassword: try credentials.takePassword(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let itemClass, let attributes, let isSynchronizable, let returns else {
            throw WireError(at: bytes.byteCount, .missingField)
        }
        self.init(
            itemClass: itemClass, attributes: attributes, accessGroup: accessGroup, isSynchronizable: isSynchronizable,
            accessibility: accessibility, accessControl: accessControl, value: value, returns: returns)
        self.authenticationUI = authenticationUI ?? .allow
        self.credentials = credentials.credentials()
    }
}

extension MatchRequest {
    enum Tag {
        static let query: UInt8 = 1
        static let limit: UInt8 = 2
        static let returns: UInt8 = 3
        static let authenticationUI: UInt8 = 4
        static let pin: UInt8 = 5
        static let applicationPassword: UInt8 = 6
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.query(Tag.query, query)
        switch limit {
        case .count(let count): sink.field(Tag.limit, UInt64(clamping: count))
        // Of every number that an Int holds, none is this one.
        case .all: sink.field(Tag.limit, UInt64.max)
        }
        sink.field(Tag.returns, returns.rawValue)
        sink.field(Tag.authenticationUI, authenticationUI.rawValue)
        sink.credentials(credentials, pin: Tag.pin, password: Tag.applicationPassword)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var query: ItemQuery?
        var limit: MatchLimit?
        var returns: ReturnFlags?
        var authenticationUI: AuthenticationUI?
        var credentials = ReceivedCredentials()
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.query: query = try ItemQuery(bytes, field.range)
            case Tag.limit:
                let isAll = try WireValue.number64(bytes, field.range) == .max
                limit = isAll ? .all : .count(try WireValue.count(bytes, field.range))
            case Tag.returns: returns = try ReturnFlags(bytes, field.range)
            case Tag.authenticationUI: authenticationUI = try WireValue.known(bytes, field.range)
            case Tag.pin: try credentials.takePIN(bytes, field.range)
            case Tag.applicationPassword: try credentials.takePassword(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let query, let limit, let returns, let authenticationUI else {
            throw WireError(at: bytes.byteCount, .missingField)
        }
        self.init(query, limit: limit, returns: returns, authenticationUI: authenticationUI)
        self.credentials = credentials.credentials()
    }
}

extension UpdateRequest {
    enum Tag {
        static let query: UInt8 = 1
        static let changes: UInt8 = 2
        static let accessGroup: UInt8 = 3
        static let synchronizable: UInt8 = 4
        static let accessibility: UInt8 = 5
        static let accessControl: UInt8 = 6
        static let value: UInt8 = 7
        static let authenticationUI: UInt8 = 8
        static let pin: UInt8 = 9
        static let applicationPassword: UInt8 = 10
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.query(Tag.query, query)
        let mark = sink.begin(Tag.changes)
        changes.encode(&sink)
        sink.end(mark)
        if let accessGroup { sink.field(Tag.accessGroup, accessGroup.utf8) }
        if let isSynchronizable { sink.field(Tag.synchronizable, isSynchronizable) }
        if let accessibility { sink.field(Tag.accessibility, accessibility.rawValue) }
        if let accessControl { sink.field(Tag.accessControl, accessControl.encoded) }
        sink.secret(Tag.value, value)
        sink.field(Tag.authenticationUI, authenticationUI.rawValue)
        sink.credentials(credentials, pin: Tag.pin, password: Tag.applicationPassword)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var query: ItemQuery?
        var changes: AttributeSet?
        var accessGroup: AccessGroup?
        var isSynchronizable: Bool?
        var accessibility: Accessibility?
        var accessControl: AccessControl?
        var value: SecretBytes?
        var authenticationUI: AuthenticationUI?
        var credentials = ReceivedCredentials()
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.query: query = try ItemQuery(bytes, field.range)
            case Tag.changes: changes = try AttributeSet(bytes, field.range)
            case Tag.accessGroup: accessGroup = AccessGroup(utf8: try WireValue.wiped(bytes, field.range))
            case Tag.synchronizable: isSynchronizable = try WireValue.flag(bytes, field.range)
            case Tag.accessibility: accessibility = try WireValue.known(bytes, field.range)
            case Tag.accessControl: accessControl = try AccessControl(bytes, field.range)
            case Tag.value: value = try WireValue.secret(bytes, field.range, limit: WireLimits.valueSize)
            case Tag.authenticationUI: authenticationUI = try WireValue.known(bytes, field.range)
            case Tag.pin: try credentials.takePIN(bytes, field.range)
            case Tag.applicationPassword: try credentials.takePassword(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let query, let changes, let authenticationUI else { throw WireError(at: bytes.byteCount, .missingField) }
        self.init(
            query, changes: changes, accessGroup: accessGroup, isSynchronizable: isSynchronizable,
            accessibility: accessibility, accessControl: accessControl, value: value,
            authenticationUI: authenticationUI)
        self.credentials = credentials.credentials()
    }
}

extension DeleteRequest {
    enum Tag {
        static let query: UInt8 = 1
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) { sink.query(Tag.query, query) }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        guard let field = try cursor.field(bytes) else { throw WireError(at: 0, .missingField) }
        guard field.tag == Tag.query else { throw WireError(at: field.range.lowerBound, .unknownField) }
        let query = try ItemQuery(bytes, field.range)
        try cursor.finish()
        self.init(query)
    }
}

extension ReturnFlags {
    private static let known: ReturnFlags = [.data, .attributes, .reference, .persistentReference]

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        self.init(rawValue: try WireValue.byte(bytes, range))
        guard isSubset(of: Self.known) else { throw WireError(at: range.lowerBound, .badValue) }
    }
}

extension WireSink {
    fileprivate mutating func query(_ tag: UInt8, _ query: ItemQuery) {
        let mark = begin(tag)
        query.encode(&self)
        end(mark)
    }

    /// A secret that may be missing, which is not the same as empty.
    mutating func secret(_ tag: UInt8, _ secret: borrowing SecretBytes?) {
        switch secret {
        case .some(let secret): secret.withBytes { field(tag, $0) }
        case .none: break
        }
    }
}
