// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobVault

/// Follows the chain of the audit log line by line and collects what is wrong with it.
///
/// Reads nothing itself; `AuditVerification` says what each fault means.
struct AuditVerifier {
    /// How many lines before a checkpoint's own it may speak of.
    static let window: UInt64 = 1 << 16

    /// A place in the files.
    struct Place: Hashable {
        let file: String
        let offset: Int
    }

    private struct Seen {
        let hash: Digest256
        let previous: Digest256
        let place: Place
    }

    private struct Gap {
        var first: UInt64
        var last: UInt64
        let place: Place
        let order: Int
    }

    private let origin: Digest256
    private let anchor: AuditCheckpoint?
    private let open: ([UInt8]) throws(KeychainError) -> AuditCheckpoint?

    private var result = AuditVerification()
    /// Findings with the number of the piece that showed them, to sort by.
    private var findings: [(order: Int, finding: AuditVerification.Finding)] = []
    private var gaps: [Gap] = []
    private var seen: [UInt64: Seen] = [:]
    /// The number that the next line should have; nil before the first.
    private var expected: UInt64?
    /// How many pieces that are no lines came since the last line.
    private var unknown: UInt64 = 0
    private var order = 0
    private var lastSealed: UInt64 = 0
    private var lastCheckpointLine: UInt64 = 0
    /// The line that the store's checkpoint speaks of.
    private var anchored: (order: Int, line: Seen)?

    /// - Parameters:
    ///   - origin: what the first line of all refers to.
    ///   - anchor: the checkpoint that the store keeps.
    ///   - open: opens a sealed checkpoint; nil if the token did not make it.
    init(
        origin: Digest256, anchor: AuditCheckpoint?,
        open: @escaping ([UInt8]) throws(KeychainError) -> AuditCheckpoint?
    ) {
        self.origin = origin
        self.anchor = anchor
        self.open = open
    }

    /// Takes the next piece of the files, a line or not.
    ///
    /// - Throws: the token's faults.
    mutating func take(_ bytes: ArraySlice<UInt8>, isWhole: Bool, at place: Place) throws(KeychainError) {
        order += 1
        guard isWhole, let line = AuditLine(bytes) else {
            add(.malformed, expected ?? 1, place)
            // It may have been a line, of whose content nothing is known.
            unknown += 1
            return
        }
        result.lines += 1
        if result.first == 0 { result.first = line.sequence }
        let own = Seen(hash: unsafe Digest256(sha256: bytes.span.bytes), previous: line.previous, place: place)
        guard follows(line.sequence, own) else { return }
        result.last = max(result.last, line.sequence)
        link(line.sequence, own)
        seen[line.sequence] = own
        if line.sequence > Self.window { seen[line.sequence - Self.window] = nil }
        if line.sequence == anchor?.sequence { anchored = (order, own) }
        switch line.content {
        case .checkpoint(let sealed): try check(sealed, of: line.sequence, place)
        case .recovered(let recovery) where recovery.fault != .torn: add(.recovered, line.sequence, place)
        case .recovered, .lost, .access: break
        }
    }

    /// What was found in all.
    ///
    /// - Parameter end: where the last file ends.
    mutating func finish(at end: Place) -> AuditVerification {
        compareWithAnchor()
        // Before what was found at the line behind the gap.
        for gap in gaps.sorted(by: { $0.first > $1.first }) {
            findings.insert(
                (
                    gap.order,
                    .init(.removed, sequence: gap.first, last: gap.last, file: gap.place.file, offset: gap.place.offset)
                ), at: 0)
        }
        let sorted = findings.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        result.findings = sorted.map(\.element.finding)
        if let anchor, result.last < anchor.sequence {
            result.findings.append(
                .init(
                    .truncated, sequence: result.last + 1, last: anchor.sequence, file: end.file, offset: end.offset))
        }
        result.unsealed = Int(clamping: result.last - min(result.last, lastCheckpointLine))
        return result
    }

    // MARK: - The chain

    /// Compares the number with the one that is expected; false for a line that was there already.
    private mutating func follows(_ sequence: UInt64, _ own: Seen) -> Bool {
        defer { unknown = 0 }
        guard let next = expected else {
            expected = sequence &+ 1
            return true
        }
        if sequence >= next {
            if sequence - next > unknown {
                gaps.append(Gap(first: next, last: sequence - 1, place: own.place, order: order))
            }
            expected = sequence &+ 1
            return true
        }
        guard let index = gaps.firstIndex(where: { $0.first <= sequence && sequence <= $0.last }) else {
            add(.repeated, sequence, own.place)
            return false
        }
        add(.reordered, sequence, own.place)
        let gap = gaps.remove(at: index)
        if gap.first < sequence {
            gaps.append(Gap(first: gap.first, last: sequence - 1, place: gap.place, order: gap.order))
        }
        if sequence < gap.last {
            gaps.append(Gap(first: sequence + 1, last: gap.last, place: gap.place, order: gap.order))
        }
        return true
    }

    /// Compares the hashes of neighbours with what each says of the one before it.
    private mutating func link(_ sequence: UInt64, _ own: Seen) {
        if sequence == 1, own.previous != origin { add(.changed, 1, own.place) }
        if sequence > 1, let before = seen[sequence - 1], before.hash != own.previous {
            add(.changed, sequence - 1, before.place)
        }
        if let after = seen[sequence &+ 1], after.previous != own.hash { add(.changed, sequence, own.place) }
    }

    // MARK: - Checkpoints

    private mutating func check(
        _ sealed: [UInt8], of sequence: UInt64, _ place: Place
    ) throws(KeychainError) {
        guard let checkpoint = try open(sealed), checkpoint.sequence < sequence else {
            return add(.forged, sequence, place)
        }
        if let sealed = seen[checkpoint.sequence] {
            guard sealed.hash.bytes == checkpoint.hash else {
                return addChanged(upTo: checkpoint.sequence, sealed.place)
            }
        } else if checkpoint.sequence >= result.first {
            // Its line is missing or out of reach: there is nothing that it vouches for.
            return
        }
        result.checkpoints += 1
        lastSealed = max(lastSealed, checkpoint.sequence)
        lastCheckpointLine = max(lastCheckpointLine, sequence)
    }

    private mutating func compareWithAnchor() {
        guard let anchor, let anchored, anchored.line.hash.bytes != anchor.hash else { return }
        order = anchored.order
        addChanged(upTo: anchor.sequence, anchored.line.place)
    }

    /// Somewhere between two checkpoints lines were changed and all after them made to fit.
    private mutating func addChanged(upTo sequence: UInt64, _ place: Place) {
        let known = findings.contains { $0.finding.fault == .changed && $0.finding.last >= sequence }
        guard !known else { return }
        let first = max(lastSealed + 1, result.first)
        findings.append(
            (
                order,
                .init(.changed, sequence: min(first, sequence), last: sequence, file: place.file, offset: place.offset)
            ))
    }

    private mutating func add(_ fault: AuditVerification.Fault, _ sequence: UInt64, _ place: Place) {
        findings.append((order, .init(fault, sequence: sequence, file: place.file, offset: place.offset)))
    }
}
