// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobCrypto
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobVault
internal import Synchronization

/// The audit log of an open keychain (docs/audit.md).
///
/// A line is in the file before its access is answered; `fdatasync` and the token's seal come with the checkpoints: every
/// 1,024 lines, every minute in which a line is written, and at each unlock, lock and stop.
package final class AuditLog: AccessObserver {
    /// Lines after which a checkpoint is due.
    static let checkpointLines: UInt64 = 1024
    /// Microseconds after which a checkpoint is due if there was a line.
    static let checkpointInterval: Int64 = 60_000_000
    /// Bytes of a full file.
    static let fileSize = 16 << 20

    private let files: AuditFiles
    private let path: String
    private let isRequired: Bool
    private let writer: AuditWriter
    private let keeper: any CheckpointKeeper
    private let sink: (any AuditSink)?
    private let process = ForkGuard()
    /// Whether the last line could not be written.
    private let isFailing = Atomic(false)
    private let nextSequence: Atomic<UInt64>
    private let nextTime: Atomic<Int64>
    /// The line of the last checkpoint; held while one is made, so across token calls and statements.
    private let lastCheckpoint = Mutex<UInt64>(0)
    /// Whether the checkpoint of before could not be opened yet.
    private let owesComparison: Atomic<Bool>

    /// Opens the log in a folder.
    ///
    /// - Throws: the faults of folder, store and token.
    convenience init(
        _ files: AuditFiles, keychain: ItemUUID, keeper: any CheckpointKeeper, isRequired: Bool,
        sink: (any AuditSink)? = nil, fileSize: Int = AuditLog.fileSize
    ) throws(KeychainError) {
        let anchor = try Self.anchor(keeper)
        let tail = try AuditTail.open(files, keychain: keychain, anchor: anchor, sizeLimit: fileSize)
        var isLocked = false
        if case .locked = anchor { isLocked = true }
        try self.init(files, tail, keeper: keeper, isRequired: isRequired, sink: sink, owesComparison: isLocked)
    }

    /// Goes on with a log that was opened.
    init(
        _ files: AuditFiles, _ tail: consuming AuditTail, keeper: any CheckpointKeeper, isRequired: Bool,
        sink: (any AuditSink)? = nil, owesComparison: Bool = false
    ) throws(KeychainError) {
        self.files = files
        self.owesComparison = Atomic(owesComparison)
        path = files.path(AuditFiles.current)
        self.isRequired = isRequired
        self.keeper = keeper
        self.sink = sink
        let recovery = tail.recovery
        let sequence = tail.chain.position.sequence
        writer = AuditWriter(tail.chain)
        nextSequence = Atomic(sequence + Self.checkpointLines)
        nextTime = Atomic(AuditTime.monotonic() + Self.checkpointInterval)
        if let recovery { try announce(recovery) }
    }

    /// Throws in a keychain that requires the log while it cannot be written.
    package func willAccess() throws(KeychainError) {
        guard isRequired, isFailing.load(ordering: .relaxed), !process.isChild else { return }
        do throws(PosixError) {
            try writer.exclusively { (chain) throws(PosixError) in try chain.retry() }
        } catch {
            throw KeychainError(error, .audit, path: path)
        }
        recovered()
    }

    /// Writes a line, and a checkpoint if it is time.
    ///
    /// - Throws: the fault of the disk, if the keychain requires the log.
    package func didAccess(_ event: AccessEvent) throws(KeychainError) {
        // A child's lines would fork the chain.
        guard !process.isChild else { return }
        let sequence: UInt64
        do throws(PosixError) {
            sequence = try writer.append(AuditLine.body(.access(event)))
        } catch {
            try failed(error)
            return
        }
        if isFailing.load(ordering: .relaxed) { recovered() }
        sink?.note(event, sequence: sequence)
        switch event.action {
        case .unlock, .lock, .changePIN, .unblock, .stop: checkpoint()
        default: if isDue(sequence) { checkpoint(ifIdle: true) }
        }
    }

    /// Makes a checkpoint if lines were written and the last one is a minute old; for a daemon's clock, as a keychain that
    /// nobody asks has none of its own.
    package func checkpointIfDue() {
        if AuditTime.monotonic() >= nextTime.load(ordering: .relaxed) { checkpoint(ifIdle: true) }
    }

    /// Makes a checkpoint if there are lines after the last one.
    ///
    /// What fails is logged and tried again when the next is due: an access does not fail for it.
    ///
    /// - Parameter ifIdle: does nothing if another thread is making one.
    func checkpoint(ifIdle: Bool = false) {
        if ifIdle {
            _ = lastCheckpoint.withLockIfAvailable { makeCheckpoint(after: &$0) }
        } else {
            lastCheckpoint.withLock { makeCheckpoint(after: &$0) }
        }
    }

    /// Ends the log; what is told later is not recorded.
    func close() { writer.close() }

    /// Opens the files for reading, all of one moment.
    func snapshot(_ files: AuditFiles) throws(PosixError) -> AuditSnapshot {
        try writer.exclusively { (_) throws(PosixError) in try AuditSnapshot(files) }
    }

    // MARK: - Private

    private static func anchor(_ keeper: any CheckpointKeeper) throws(KeychainError) -> AuditTail.Anchor {
        guard let sealed = try keeper.kept() else { return .none }
        do throws(KeychainError) {
            guard let checkpoint = try keeper.open(sealed) else { return .forged }
            return .checkpoint(checkpoint)
        } catch {
            // The host holds the key, and nobody has unlocked the keychain yet.
            guard error.code == .interactionNotAllowed else { throw error }
            return .locked
        }
    }

    /// Compares the log with the checkpoint of before, if that had to wait for the first unlock; a fault becomes a line.
    private func settleComparison() throws {
        guard owesComparison.load(ordering: .relaxed) else { return }
        let anchor = try Self.anchor(keeper)
        if case .locked = anchor { return }
        let position = try writer.exclusively { (chain) throws(PosixError) in chain.position }
        let recovery = try AuditTail.fault(files, anchor, at: position)
        owesComparison.store(false, ordering: .relaxed)
        guard let recovery else { return }
        Log.shared.error("\(path) is not as it was left (\(recovery.fault.rawValue)): keyfob audit verify says more")
        _ = try writer.append(AuditLine.body(.recovered(recovery)))
    }

    private func announce(_ recovery: AuditRecovery) throws(KeychainError) {
        if recovery.fault == .torn {
            Log.shared.warning("\(path): \(recovery.dropped) bytes of a line that was not finished were removed")
        } else {
            Log.shared.error(
                "\(path) is not as it was left (\(recovery.fault.rawValue)): keyfob audit verify says more")
        }
        do throws(PosixError) {
            _ = try writer.append(AuditLine.body(.recovered(recovery)))
        } catch {
            try failed(error)
            return
        }
        // Sealed at once, so that the log cannot be put back without a trace.
        if recovery.fault != .torn { checkpoint() }
    }

    private func failed(_ error: PosixError) throws(KeychainError) {
        let failure = KeychainError(error, .audit, path: path)
        if !isFailing.exchange(true, ordering: .relaxed) {
            Log.shared.error(
                "\(path) cannot be written (\(error.call), errno \(error.errno)): "
                    + (isRequired ? "every access is refused" : "accesses are not recorded") + " until it can")
        }
        if isRequired { throw failure }
    }

    private func recovered() {
        guard isFailing.exchange(false, ordering: .relaxed) else { return }
        Log.shared.warning("\(path) can be written again; it says how many lines are missing")
    }

    private func isDue(_ sequence: UInt64) -> Bool {
        sequence >= nextSequence.load(ordering: .relaxed)
            || AuditTime.monotonic() >= nextTime.load(ordering: .relaxed)
    }

    private func makeCheckpoint(after last: inout UInt64) {
        do {
            // Before the new one takes its place.
            try settleComparison()
            let (position, isOwn) = try writer.exclusively { (chain) throws(PosixError) in
                (chain.position, try chain.followName())
            }
            if !isOwn { Log.shared.error("\(path) was taken away or cut short: keyfob audit verify says more") }
            nextTime.store(AuditTime.monotonic() + Self.checkpointInterval, ordering: .relaxed)
            nextSequence.store(position.sequence + Self.checkpointLines, ordering: .relaxed)
            guard position.sequence > last else { return }
            let sealed = try keeper.seal(
                AuditCheckpoint(sequence: position.sequence, time: AuditTime.now(), hash: position.hash.bytes))
            let line = try writer.append(AuditLine.body(.checkpoint(sealed: sealed)))
            let file = try writer.exclusively { (chain) throws(PosixError) in try chain.duplicate() }
            guard fdatasync(file.rawValue) == 0 else { throw PosixError.last("fdatasync") }
            // After the file: the store must never promise lines that a power failure can still take.
            try keeper.keep(sealed)
            last = line
        } catch let error as KeychainError {
            // Before the first unlock of a keychain whose key the host holds: the unlock makes one.
            guard error.code != .interactionNotAllowed else { return }
            Log.shared.warning("\(path): no checkpoint: error \(error.code.rawValue) of docs/errors.md")
        } catch let error as PosixError {
            Log.shared.warning("\(path): no checkpoint: \(error.call), errno \(error.errno)")
        } catch {
            Log.shared.warning("\(path): no checkpoint")
        }
    }
}
