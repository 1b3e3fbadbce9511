// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// The name after its length, then the number of items.
extension AccessGroupUse {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.sized(group.utf8)
        sink.put(UInt64(clamping: items))
    }

    /// A body that holds nothing else.
    static func list(_ bytes: RawSpan) throws(WireError) -> [AccessGroupUse] {
        var cursor = WireCursor(bytes)
        var list: [AccessGroupUse] = []
        while !cursor.isAtEnd {
            let start = cursor.offset
            let group = AccessGroup(utf8: try WireValue.wiped(bytes, try cursor.sized(bytes)))
            guard let items = Int(exactly: try cursor.number64(bytes)) else { throw WireError(at: start, .badValue) }
            list.append(AccessGroupUse(group: group, items: items))
        }
        return list
    }
}

/// Verified, locked, then the findings: row, item, column and fault, the texts after their lengths.
extension VerificationReport {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(UInt64(clamping: verified))
        sink.put(UInt64(clamping: locked))
        for finding in findings {
            sink.put(UInt64(bitPattern: finding.row))
            unsafe sink.put(finding.item.bytes.span.bytes)
            sink.sized(finding.column)
            sink.sized(finding.fault)
        }
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        let verified = Int(exactly: try cursor.number64(bytes))
        let locked = Int(exactly: try cursor.number64(bytes))
        guard let verified, let locked else { throw WireError(at: 0, .badValue) }
        self.init(verified: verified, locked: locked)
        while !cursor.isAtEnd {
            let row = Int64(bitPattern: try cursor.number64(bytes))
            let start = cursor.offset
            _ = try cursor.number64(bytes)
            _ = try cursor.number64(bytes)
            findings.append(
                Finding(
                    row: row, item: try ItemUUID(bytes, start..<cursor.offset),
                    column: try WireValue.text(bytes, try cursor.sized(bytes)),
                    fault: try WireValue.text(bytes, try cursor.sized(bytes))))
        }
    }
}
