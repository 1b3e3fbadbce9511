// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import KeyfobModel

/// The way into a module's functions: counts each call and turns return values into errors.
///
/// A module has one for itself, a token another that keeps its module loaded and names the token in errors.
@safe final class Line: @unchecked Sendable {
    // @unchecked: the function list is written by p11-kit before we see it and never after.
    private let list: CK_FUNCTION_LIST_PTR
    private let interposer: (any CallInterposer)?
    private let module: Module?
    /// Whether p11-kit carries the calls to another process.
    let isRemote: Bool
    /// Shut while the module is started anew.
    let gate: CallGate
    /// Where sessions of the module are opened and closed.
    let door: SessionDoor
    let calls: CallCounter
    let token: TokenIdentity?

    init(
        list: CK_FUNCTION_LIST_PTR, interposer: (any CallInterposer)?, calls: CallCounter, gate: CallGate = CallGate(),
        door: SessionDoor = SessionDoor(), module: Module? = nil, token: TokenIdentity? = nil, isRemote: Bool = false
    ) {
        unsafe self.list = list
        self.interposer = interposer
        self.module = module
        self.calls = calls
        self.gate = gate
        self.door = door
        self.token = token
        self.isRemote = isRemote
    }

    /// The line of a token of `module`.
    convenience init(module: Module, token: TokenIdentity?, calls: CallCounter) {
        let line = module.line
        unsafe self.init(
            list: line.list, interposer: line.interposer, calls: calls, gate: line.gate, door: line.door,
            module: module, token: token, isRemote: line.isRemote)
    }

    /// Calls a function; a module that lacks it is answered for with `CKR_FUNCTION_NOT_SUPPORTED`, one that is started
    /// anew at the moment with `CKR_CRYPTOKI_NOT_INITIALIZED`.
    ///
    /// - Parameter generation: the start of the module that the session of the call belongs to; that of another is
    ///   answered for with `CKR_SESSION_HANDLE_INVALID`, for its number may be another's by now. Nil: no session.
    func call(
        _ function: CryptokiFunction, of generation: Int? = nil, _ body: (CK_FUNCTION_LIST_PTR) -> CK_RV?
    ) -> ReturnValue {
        guard gate.enter() else { return .cryptokiNotInitialized }
        defer { gate.leave() }
        if let generation, generation != gate.generation { return .sessionHandleInvalid }
        return unsafe callInside(function, body)
    }

    /// Calls a function without looking at the gate: for who has shut it.
    func callInside(_ function: CryptokiFunction, _ body: (CK_FUNCTION_LIST_PTR) -> CK_RV?) -> ReturnValue {
        calls.count(function)
        let start = MonotonicTime.now.nanoseconds
        defer { calls.durations.add(nanoseconds: MonotonicTime.now.nanoseconds &- start) }
        if let interposer, let forced = interposer.intercept(function) { return forced }
        let answer = unsafe isRemote ? BrokenPipes.harmless { unsafe body(list) } : body(list)
        guard let value = answer else { return .functionNotSupported }
        return ReturnValue(rawValue: value)
    }

    /// Calls a function and throws unless it returns `CKR_OK`.
    func check(
        _ function: CryptokiFunction, _ body: (CK_FUNCTION_LIST_PTR) -> CK_RV?
    ) throws(PKCS11Error) {
        let value = unsafe call(function, body)
        guard value == .ok else { throw error(function, value) }
    }

    /// The error for a function that returned `value`.
    func error(_ function: CryptokiFunction, _ value: ReturnValue) -> PKCS11Error {
        PKCS11Error(function: function.name, returnValue: value, token: token)
    }

    /// The error for another fault on this line's token.
    func error(_ fault: PKCS11Error.Fault) -> PKCS11Error {
        PKCS11Error(fault, token: token)
    }
}
