// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// A number, then what the remedy has.
extension KeychainError.Remedy {
    /// The remedies that are nothing but a number.
    private static let plain: [(UInt8, KeychainError.Remedy)] = [
        (1, .unlock), (2, .insertToken), (4, .giveFinalTry), (5, .unblockWithSO), (6, .initializeToken),
        (7, .provision), (9, .freeDiskSpace), (10, .fixPermissions), (11, .fixConfiguration),
        (12, .raiseLockedMemoryLimit), (13, .restoreFromBackup), (14, .nameOneToken), (15, .installModule),
        (17, .createKeychain), (18, .rotate), (19, .giveAccessGroup), (20, .startDaemon), (21, .tryAgain),
        (22, .askOwner), (23, .updateKeyfob), (40, .changePIN), (41, .choosePIN), (42, .remakeToken),
        (43, .allowHostHeld), (44, .giveKeyID),
    ]

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch self {
        case .enterCorrectPIN(let left):
            sink.put(UInt8(3))
            sink.put(left.wireValue)
        case .stopOwner(let pid):
            sink.put(UInt8(8))
            sink.put(UInt32(bitPattern: pid))
        case .choosePINLength(let minimum, let maximum):
            sink.put(UInt8(16))
            sink.put(UInt64(clamping: minimum))
            sink.put(UInt64(clamping: maximum))
        default:
            // A remedy that is missing above would be sent as 0, which no decoder takes; a test goes through them all.
            sink.put(Self.plain.first { $0.1 == self }?.0 ?? 0)
        }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        let kind = try cursor.byte(bytes)
        switch kind {
        case 3: self = .enterCorrectPIN(triesLeft: try .init(bytes, cursor.rest()))
        case 8: self = .stopOwner(pid: Int32(bitPattern: try WireValue.number32(bytes, cursor.rest())))
        case 16:
            let minimum = Int(exactly: try cursor.number64(bytes))
            let maximum = Int(exactly: try cursor.number64(bytes))
            guard let minimum, let maximum else { throw WireError(at: range.lowerBound, .badValue) }
            self = .choosePINLength(minimum: minimum, maximum: maximum)
        default:
            guard let plain = Self.plain.first(where: { $0.0 == kind }) else {
                throw WireError(at: range.lowerBound, .badValue)
            }
            self = plain.1
        }
        try cursor.finish()
    }
}

extension KeychainError.TriesLeft {
    var wireValue: UInt8 {
        switch self {
        case .unknown: 0
        case .few: 1
        case .one: 2
        case .none: 3
        }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        switch try WireValue.byte(bytes, range) {
        case 0: self = .unknown
        case 1: self = .few
        case 2: self = .one
        case 3: self = .none
        default: throw WireError(at: range.lowerBound, .badValue)
        }
    }
}
