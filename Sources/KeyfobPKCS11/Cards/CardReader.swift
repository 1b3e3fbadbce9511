// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A reader of pcscd's, which can reset the card in it: a card forgets a login then, whatever its module told it or not.
///
/// libpcsclite is opened when it is needed first, and stays: no token but a card needs it, and the module of a card has
/// loaded it already. What is called of it is described in PC/SC part 5 §3.2 and <winscard.h>, whose numbers are C longs
/// on Linux.
struct CardReader: Hashable, Sendable {
    /// The bytes of the reader's name; at most those that a slot's description has room for.
    let name: [UInt8]

    /// How often a reader that somebody uses alone for a moment is asked, and how long is waited in between.
    private static let attempts = 20
    private static let pause = Duration.milliseconds(50)

    /// Resets the card: afterwards nobody is logged in to it, in this process or another.
    ///
    /// Blocks for up to a second if another program has the card for itself.
    ///
    /// - Returns: false if there is no such reader, no card in it, no pcscd, or it did not let us.
    func resetCard() -> Bool {
        guard let service = CardService.shared else { return false }
        for attempt in 1...Self.attempts {
            switch service.resetCard(inReaderWith: name) {
            case .done: return true
            case .impossible: return false
            case .busy: if attempt < Self.attempts { MonotonicTime.pause(Self.pause) }
            }
        }
        return false
    }
}

/// The functions of libpcsclite that a reset takes.
@safe private struct CardService: @unchecked Sendable {
    // @unchecked: addresses of functions of a library that is never unloaded; each call has a context of its own.
    enum Outcome {
        case done
        case busy
        case impossible
    }

    private typealias Establish =
        @convention(c) (UInt, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutablePointer<Int>) -> Int
    private typealias Release = @convention(c) (Int) -> Int
    private typealias ListReaders =
        @convention(c) (Int, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt>) -> Int
    private typealias Connect =
        @convention(c) (
            Int, UnsafePointer<CChar>, UInt, UInt, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UInt>
        ) -> Int
    private typealias Disconnect = @convention(c) (Int, UInt) -> Int

    private let establish: Establish
    private let release: Release
    private let listReaders: ListReaders
    private let connect: Connect
    private let disconnect: Disconnect

    static let shared = CardService()

    private init?() {
        guard let library = unsafe dlopen("libpcsclite.so.1", RTLD_NOW | RTLD_LOCAL),
            let establish = unsafe dlsym(library, "SCardEstablishContext"),
            let release = unsafe dlsym(library, "SCardReleaseContext"),
            let listReaders = unsafe dlsym(library, "SCardListReaders"),
            let connect = unsafe dlsym(library, "SCardConnect"),
            let disconnect = unsafe dlsym(library, "SCardDisconnect")
        else { return nil }
        unsafe self.establish = unsafeBitCast(establish, to: Establish.self)
        unsafe self.release = unsafeBitCast(release, to: Release.self)
        unsafe self.listReaders = unsafeBitCast(listReaders, to: ListReaders.self)
        unsafe self.connect = unsafeBitCast(connect, to: Connect.self)
        unsafe self.disconnect = unsafeBitCast(disconnect, to: Disconnect.self)
    }

    /// Connects beside others, and resets the card when it lets go of it.
    func resetCard(inReaderWith description: [UInt8]) -> Outcome {
        // SCARD_SCOPE_SYSTEM, SCARD_SHARE_SHARED, either protocol, SCARD_RESET_CARD; SCARD_E_SHARING_VIOLATION.
        let (system, shared, protocols, resetting) = (UInt(2), UInt(2), UInt(3), UInt(1))
        var context = 0
        guard unsafe establish(system, nil, nil, &context) == 0 else { return .impossible }
        defer { _ = release(context) }
        guard let reader = reader(with: description, context) else { return .impossible }
        var card = 0
        var active: UInt = 0
        switch unsafe connect(context, reader, shared, protocols, &card, &active) & 0xFFFF_FFFF {
        case 0: break
        case 0x8010_000B: return .busy
        default: return .impossible
        }
        switch disconnect(card, resetting) & 0xFFFF_FFFF {
        case 0: return .done
        case 0x8010_000B: return .busy
        default: return .impossible
        }
    }

    /// The name of the one reader that a slot is described by; nil if there is none, or more than one.
    private func reader(with description: [UInt8], _ context: Int) -> [CChar]? {
        var size: UInt = 0
        guard unsafe listReaders(context, nil, nil, &size) == 0, size > 0, size < 1 << 16 else { return nil }
        var list = [CChar](repeating: 0, count: Int(size))
        guard unsafe listReaders(context, nil, &list, &size) == 0 else { return nil }
        let names = list.prefix(Int(size)).split(separator: 0)
        let fitting = names.filter { name in
            let bytes = name.map { UInt8(bitPattern: $0) }
            // A description has room for 64 bytes.
            return bytes == description
                || (description.count == SlotDescription.size && bytes.starts(with: description))
        }
        guard fitting.count == 1 else { return nil }
        return Array(fitting[0]) + [0]
    }
}
