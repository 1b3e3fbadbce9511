// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

extension KeychainStatus {
    enum Tag {
        static let home: UInt8 = 1
        static let keychain: UInt8 = 2
        static let lockState: UInt8 = 3
        static let token: UInt8 = 4
        static let tokenURI: UInt8 = 5
        static let triesLeft: UInt8 = 6
        static let isSoftwareToken: UInt8 = 7
        static let pinSource: UInt8 = 8
        static let pinentry: UInt8 = 9
        static let keys: UInt8 = 10
        static let items: UInt8 = 11
        static let process: UInt8 = 12
        static let lastLock: UInt8 = 13
        static let triggers: UInt8 = 14
        static let absence: UInt8 = 15
        static let presence: UInt8 = 16
        static let hasPINPad: UInt8 = 17
        static let isModuleIsolated: UInt8 = 18
        static let itemKeyCache: UInt8 = 19
        static let lacksUserPIN: UInt8 = 20
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.home, home)
        sink.field(Tag.keychain, keychain.bytes)
        sink.field(Tag.lockState, lockState.rawValue)
        let tokenMark = sink.begin(Tag.token)
        token.encode(&sink)
        sink.end(tokenMark)
        sink.field(Tag.tokenURI, tokenURI)
        sink.field(Tag.triesLeft, triesLeft.wireValue)
        sink.field(Tag.isSoftwareToken, isSoftwareToken)
        if let pinSource { sink.field(Tag.pinSource, pinSource) }
        if let pinentry { sink.field(Tag.pinentry, pinentry) }
        let keysMark = sink.begin(Tag.keys)
        for key in keys { key.encode(&sink) }
        sink.end(keysMark)
        sink.field(Tag.items, UInt64(clamping: items))
        let processMark = sink.begin(Tag.process)
        process.encode(&sink)
        sink.end(processMark)
        if let lastLock {
            let mark = sink.begin(Tag.lastLock)
            lastLock.encode(&sink)
            sink.end(mark)
        }
        if let triggers {
            let mark = sink.begin(Tag.triggers)
            triggers.encode(&sink)
            sink.end(mark)
        }
        if let absence {
            let mark = sink.begin(Tag.absence)
            absence.encode(&sink)
            sink.end(mark)
        }
        if let presence { sink.field(Tag.presence, presence.rawValue) }
        if hasPINPad { sink.field(Tag.hasPINPad, hasPINPad) }
        if isModuleIsolated { sink.field(Tag.isModuleIsolated, isModuleIsolated) }
        if let itemKeyCache {
            let mark = sink.begin(Tag.itemKeyCache)
            itemKeyCache.encode(&sink)
            sink.end(mark)
        }
        if lacksUserPIN { sink.field(Tag.lacksUserPIN, lacksUserPIN) }
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var (home, tokenURI, pinSource, pinentry): (String?, String?, String?, String?)
        var keychain: ItemUUID?
        var lockState: LockState?
        var token: TokenIdentity?
        var triesLeft: KeychainError.TriesLeft?
        var isSoftwareToken: Bool?
        var keys: [Key]?
        var items: Int?
        var process: ProcessStatus?
        var absence: KeychainError?
        var lastLock: LastLock?
        var triggers: LockTriggers?
        var presence: Presence?
        var (hasPINPad, isModuleIsolated, lacksUserPIN) = (false, false, false)
        var itemKeyCache: ItemKeyCacheStatus?
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.home: home = try WireValue.text(bytes, field.range)
            case Tag.keychain: keychain = try ItemUUID(bytes, field.range)
            case Tag.lockState: lockState = try WireValue.known(bytes, field.range)
            case Tag.token:
                var inner = WireCursor(field.range)
                token = try TokenIdentity(bytes, &inner)
                try inner.finish()
            case Tag.tokenURI: tokenURI = try WireValue.text(bytes, field.range)
            case Tag.triesLeft: triesLeft = try .init(bytes, field.range)
            case Tag.isSoftwareToken: isSoftwareToken = try WireValue.flag(bytes, field.range)
            case Tag.pinSource: pinSource = try WireValue.text(bytes, field.range)
            case Tag.pinentry: pinentry = try WireValue.text(bytes, field.range)
            case Tag.keys:
                var inner = WireCursor(field.range)
                var found: [Key] = []
                while !inner.isAtEnd { found.append(try Key(bytes, &inner)) }
                keys = found
            case Tag.items: items = try WireValue.count(bytes, field.range)
            case Tag.process: process = try ProcessStatus(bytes, field.range)
            case Tag.absence: absence = try KeychainError(bytes.extracting(field.range))
            case Tag.lastLock: lastLock = try LastLock(bytes, field.range)
            case Tag.triggers: triggers = try LockTriggers(bytes, field.range)
            case Tag.presence: presence = try WireValue.known(bytes, field.range)
            case Tag.hasPINPad: hasPINPad = try Self.mark(bytes, field.range)
            case Tag.isModuleIsolated: isModuleIsolated = try Self.mark(bytes, field.range)
            case Tag.itemKeyCache: itemKeyCache = try ItemKeyCacheStatus(bytes, field.range)
            case Tag.lacksUserPIN: lacksUserPIN = try Self.mark(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let home, let keychain, let lockState, let token, let tokenURI, let triesLeft, let isSoftwareToken,
            let keys, let items, let process
        else { throw WireError(at: bytes.byteCount, .missingField) }
        self.init(
            home: home, keychain: keychain, lockState: lockState, token: token, tokenURI: tokenURI, absence: absence,
            triesLeft: triesLeft, isSoftwareToken: isSoftwareToken, pinSource: pinSource, pinentry: pinentry,
            keys: keys, items: items, process: process, lastLock: lastLock, triggers: triggers, presence: presence,
            hasPINPad: hasPINPad, lacksUserPIN: lacksUserPIN)
        self.isModuleIsolated = isModuleIsolated
        self.itemKeyCache = itemKeyCache
    }

    /// A flag that is left out where it is not set: each message has one form.
    private static func mark(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> Bool {
        guard try WireValue.flag(bytes, range) else { throw WireError(at: range.lowerBound, .badValue) }
        return true
    }
}

/// Class, generation, suite, residence, two flags in one byte, items, seals: 24 bytes.
extension KeychainStatus.Key {
    fileprivate func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(id.accessibility.rawValue)
        sink.put(id.generation)
        sink.put(suite.rawValue)
        sink.put(residence.rawValue)
        sink.put((isUsable ? 1 : 0) | (needsRotation ? 2 : 0) as UInt8)
        sink.put(UInt64(clamping: items))
        sink.put(UInt64(bitPattern: seals))
    }

    fileprivate init(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        let start = cursor.offset
        let accessibility = Accessibility(rawValue: try cursor.byte(bytes))
        let generation = try cursor.number32(bytes)
        let suite = Suite(rawValue: try cursor.byte(bytes))
        let residence = Residence(rawValue: try cursor.byte(bytes))
        let flags = try cursor.byte(bytes)
        let items = Int(exactly: try cursor.number64(bytes))
        let seals = Int64(bitPattern: try cursor.number64(bytes))
        guard let accessibility, let suite, let residence, flags < 4, let items else {
            throw WireError(at: start, .badValue)
        }
        self.init(
            id: ClassKeyID(accessibility, generation: generation), suite: suite, residence: residence,
            isUsable: flags & 1 != 0, items: items, seals: seals, needsRotation: flags & 2 != 0)
    }
}

extension ItemUUID {
    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        guard range.count == 16, let uuid = ItemUUID(try WireValue.array(bytes, range)) else {
            throw WireError(at: range.lowerBound, .badValue)
        }
        self = uuid
    }
}
