// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import Synchronization

/// An open session as its owner holds it: the handle, the line to the module, and what went wrong on it.
final class SessionBox: Sendable {
    let line: Line
    let handle: UInt
    let gcm: GCMVariant
    /// The start of the module that the session belongs to.
    let generation: Int
    let isReadWrite: Bool
    /// Is told of the end of a read-only session.
    private let place: TokenPlace
    /// The last return value that spoiled the session; 0 (`CKR_OK`) while it is good.
    private let spoiled = Atomic<UInt>(0)
    private let closed = Atomic<Bool>(false)

    private init(
        line: Line, handle: UInt, gcm: GCMVariant, generation: Int, isReadWrite: Bool, place: TokenPlace
    ) {
        self.line = line
        self.handle = handle
        self.gcm = gcm
        self.generation = generation
        self.isReadWrite = isReadWrite
        self.place = place
    }

    /// Opens a session (`C_OpenSession`); called by the place alone, which counts read-only ones.
    static func open(
        _ line: Line, _ slot: SlotID, readWrite: Bool, gcm: GCMVariant, at place: TokenPlace
    ) throws(PKCS11Error) -> SessionBox {
        let serial: UInt = 0x4
        let flags = readWrite ? serial | 0x2 : serial
        var handle: UInt = 0
        // Read before: a start that comes in between makes the session a dead one.
        let generation = line.gate.generation
        let value = line.door.pass {
            unsafe line.call(.openSession) { unsafe $0.pointee.C_OpenSession?(slot.rawValue, flags, nil, nil, &handle) }
        }
        guard value == .ok else { throw line.error(.openSession, value) }
        return SessionBox(
            line: line, handle: handle, gcm: gcm, generation: generation, isReadWrite: readWrite, place: place)
    }

    /// Why the session must not be used again; nil while it is good.
    var fault: ReturnValue? {
        let value = ReturnValue(rawValue: spoiled.load(ordering: .relaxed))
        return value == .ok ? nil : value
    }

    /// Spoils the session if `value` says that it may not be as before.
    func note(_ value: ReturnValue) {
        if !value.leavesSessionClean { spoil(value) }
    }

    /// Spoils the session.
    func spoil(_ value: ReturnValue) {
        spoiled.store(value.rawValue, ordering: .relaxed)
    }

    /// Calls a function on the session.
    func call(_ function: CryptokiFunction, _ body: (CK_FUNCTION_LIST_PTR) -> CK_RV?) -> ReturnValue {
        let value = unsafe line.call(function, of: generation, body)
        note(value)
        return value
    }

    /// Calls a function on the session and throws unless it returns `CKR_OK`.
    func check(_ function: CryptokiFunction, _ body: (CK_FUNCTION_LIST_PTR) -> CK_RV?) throws(PKCS11Error) {
        let value = unsafe call(function, body)
        guard value == .ok else { throw line.error(function, value) }
    }

    /// The object of a handle that the module gave on this session.
    func object(_ handle: UInt) -> ObjectHandle { ObjectHandle(rawValue: handle, generation: generation) }

    /// What names the object to the module: 0 (`CK_INVALID_HANDLE`) if the handle is of another start of the module.
    func number(of object: ObjectHandle) -> UInt { object.generation == generation ? object.rawValue : 0 }

    /// Closes the session, once; what the module says to it changes nothing.
    ///
    /// The handle of a lost session is let go without a call: it may name another's session by now.
    func close() {
        guard !closed.exchange(true, ordering: .relaxed) else { return }
        defer { if !isReadWrite { place.readerClosed() } }
        if let fault, fault.kind == .sessionLost { return }
        _ = line.door.pass {
            unsafe line.call(.closeSession, of: generation) { unsafe $0.pointee.C_CloseSession?(handle) }
        }
    }

    deinit {
        close()
    }
}
