// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel

/// One line of the audit log: an access, or what the log has to say of itself.
///
/// ```
/// {"seq":7,"time":"2026-11-30T10:00:00.123456Z","prev":"<64 hex digits>","op":"read", … }
/// ```
/// JSON Lines with the members in one order and one spelling: a line that decodes is, byte for byte, what encoding its
/// content gives (docs/audit.md).
struct AuditLine: Hashable {
    /// What follows the place in the chain.
    enum Content: Hashable {
        case access(AccessEvent)
        /// A sealed `AuditCheckpoint`.
        case checkpoint(sealed: [UInt8])
        case recovered(AuditRecovery)
        /// How many lines could not be written before this one.
        case lost(Int)
    }

    /// The most bytes of a line without its line feed.
    static let sizeLimit = 16_384

    let sequence: UInt64
    /// Microseconds since 1970-01-01T00:00:00Z, when it was written.
    let time: Int64
    /// SHA-256 of the line before, its line feed left out.
    let previous: Digest256
    let content: Content

    /// The line without a line feed.
    var bytes: [UInt8] {
        var writer = AuditLineWriter()
        var calendar = AuditTime.Calendar()
        Self.writeHead(sequence, time, previous, &calendar, to: &writer)
        return writer.bytes + Self.body(content)
    }

    /// What the hash of the first line's predecessor is: SHA-256 of the keychain's UUID as text.
    static func origin(_ keychain: ItemUUID) -> Digest256 {
        unsafe Digest256(sha256: Array(keychain.description.utf8).span.bytes)
    }

    /// Appends the members that place a line in the chain; `body` follows.
    static func writeHead(
        _ sequence: UInt64, _ time: Int64, _ previous: Digest256, _ calendar: inout AuditTime.Calendar,
        to writer: inout AuditLineWriter
    ) {
        writer.raw("{\"seq\":")
        writer.number(sequence)
        writer.raw(",\"time\":\"")
        calendar.write(time, to: &writer.bytes)
        writer.raw("\",\"prev\":\"")
        previous.withBytes { writer.hexadecimal($0) }
        writer.raw("\"")
    }

    /// The members after the place in the chain, and the closing brace.
    static func body(_ content: Content) -> [UInt8] {
        var writer = AuditLineWriter()
        switch content {
        case .access(let event): write(event, to: &writer)
        case .checkpoint(let sealed):
            writer.text(",\"op\":", AuditAction.checkpoint.rawValue)
            writer.hexadecimal(",\"seal\":", sealed)
        case .recovered(let recovery):
            writer.text(",\"op\":", AuditAction.recovered.rawValue)
            writer.text(",\"fault\":", recovery.fault.rawValue)
            writer.number(",\"dropped\":", UInt64(recovery.dropped))
        case .lost(let count):
            writer.text(",\"op\":", AuditAction.lost.rawValue)
            writer.number(",\"count\":", UInt64(count))
        }
        writer.raw("}")
        return writer.bytes
    }

    private static func write(_ event: AccessEvent, to writer: inout AuditLineWriter) {
        writer.text(",\"op\":", event.action.rawValue)
        if let caller = event.caller {
            writer.number(",\"uid\":", UInt64(caller.uid))
            writer.number(",\"gid\":", UInt64(caller.gid))
            writer.number(",\"pid\":", UInt64(UInt32(bitPattern: caller.pid)))
            if caller.startTime > 0 { writer.number(",\"started\":", caller.startTime) }
            if let unit = caller.unit { writer.text(",\"unit\":", unit) }
            if let executable = caller.executable { writer.text(",\"exe\":", executable) }
        }
        if let itemClass = event.itemClass { writer.text(",\"class\":", itemClass.code) }
        if let digest = event.nameDigest { writer.hexadecimal(",\"name\":", digest) }
        if let digest = event.accountDigest { writer.hexadecimal(",\"account\":", digest) }
        if !event.scopes.isEmpty { writer.list(",\"scopes\":", event.scopes) { unsafe $0.hexadecimal($1.span.bytes) } }
        if !event.items.isEmpty { writer.list(",\"items\":", event.items) { $0.uuid($1) } }
        if event.itemCount > 0 { writer.number(",\"count\":", UInt64(event.itemCount)) }
        if event.givesValue { writer.raw(",\"value\":true") }
        if let reason = event.lockReason { writer.text(",\"reason\":", reason.word) }
        writer.number(",\"result\":", UInt64(event.result?.rawValue ?? 0))
        writer.number(",\"us\":", UInt64(max(0, event.microseconds)))
    }
}

/// How the log was found when it was opened, if not as it had been left.
struct AuditRecovery: Hashable {
    enum Fault: String, CaseIterable, Hashable {
        /// The last line was cut short, as a killed process or a power failure leaves it.
        case torn
        /// It ends before the last checkpoint.
        case truncated
        /// It has another hash than the last checkpoint says.
        case changed
        /// It ends in what is no line.
        case malformed
        /// The checkpoint in the store is none that the token made.
        case forged
    }

    let fault: Fault
    /// Bytes at the end that were removed.
    var dropped = 0
}
