// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory
internal import Synchronization

extension Module {
    /// The initialised tokens that are present now, with a fresh `C_GetTokenInfo` each.
    ///
    /// A slot whose token cannot be asked (a card being pulled) is left out.
    package func tokens() throws(PKCS11Error) -> [(slot: SlotID, info: TokenInfo)] {
        try present().filter { $0.info.flags.contains(.tokenInitialized) }
    }

    /// The slots whose token is blank: what `initializeToken` can be given.
    package func emptySlots() throws(PKCS11Error) -> [SlotID] {
        try present().filter { !$0.info.flags.contains(.tokenInitialized) }.map(\.slot)
    }

    /// What `C_GetTokenInfo` says about the token in `slot` now.
    package func info(of slot: SlotID) throws(PKCS11Error) -> TokenInfo {
        try TokenInfo.ask(line, slot)
    }

    /// The mechanisms that the token in `slot` lists; a list is a hint, only doing proves.
    package func mechanisms(of slot: SlotID) throws(PKCS11Error) -> [MechanismType] {
        let numbers = unsafe try list(.getMechanismList) { list, buffer, count in
            unsafe list.pointee.C_GetMechanismList?(slot.rawValue, buffer, count)
        }
        return numbers.map { MechanismType(rawValue: $0) }
    }

    /// Makes the token in `slot` a new, empty one: everything on it is lost.
    ///
    /// A blank token takes `soPIN` as its SO PIN, one in use demands the SO PIN it has. There is no user PIN after
    /// it: `Token.initializePIN` sets the first. PKCS #11 v3.1 §5.5.7.
    ///
    /// - Parameters:
    ///   - label: at most 32 bytes of UTF-8.
    ///   - soPIN: reaches the token once, if its length is within what the token says it takes.
    ///   - finalTry: whether the last try of the SO PIN may be spent.
    /// - Returns: the new token.
    @discardableResult
    package func initializeToken(
        in slot: SlotID, label: String, soPIN: borrowing SecretBytes, finalTry: Bool = false
    ) throws(PKCS11Error) -> Token {
        try PINNormalForm.with(soPIN, on: line) { (soPIN) throws(PKCS11Error) in
            try initialize(slot, label: label, soPIN, finalTry: finalTry)
        }
        return Token(module: self, slot: slot, info: try info(of: slot))
    }

    private func initialize(
        _ slot: SlotID, label: String, _ soPIN: borrowing SecretBytes, finalTry: Bool
    ) throws(PKCS11Error) {
        var old = try info(of: slot)
        // The counters of a blank token mean nothing: SoftHSM calls its SO PIN locked.
        if !old.flags.contains(.tokenInitialized) { old.flags = [] }
        if let refusal = LoginState.refusal(.securityOfficer, old, length: soPIN.count, finalTry: finalTry) {
            throw PKCS11Error(.pinNotTried(refusal), token: old.identity)
        }
        var padded = Array(label.utf8)
        guard padded.count <= 32, !padded.contains(0) else {
            throw PKCS11Error(.malformed("a token label has at most 32 bytes and no NUL"))
        }
        padded.append(contentsOf: repeatElement(0x20, count: 32 - padded.count))
        try Self.slotChanges.withLock { (_) throws(PKCS11Error) in
            try unsafe soPIN.withUnsafeBytes { (pin) throws(PKCS11Error) in
                try unsafe line.check(.initToken) {
                    unsafe $0.pointee.C_InitToken?(slot.rawValue, pin.mutableBytes, UInt(pin.count), &padded)
                }
            }
        }
    }

    // MARK: - Lists

    /// Held while the process asks for slots or makes a token, so across these calls; guards no data of ours.
    ///
    /// SoftHSM enters new tokens into its table when it is asked for the slots, and ends the process by an assertion
    /// (`SlotManager::insertToken`) if two threads ask at once. One for all modules, as two may be one library.
    private static let slotChanges = Mutex(())

    private func present() throws(PKCS11Error) -> [(slot: SlotID, info: TokenInfo)] {
        // Some modules look for new tokens only when they are asked for the number of slots, so that comes first.
        let slots = try Self.slotChanges.withLock { (_) throws(PKCS11Error) in
            unsafe try list(.getSlotList) { list, buffer, count in
                unsafe list.pointee.C_GetSlotList?(1, buffer, count)
            }
        }
        var result: [(slot: SlotID, info: TokenInfo)] = []
        for number in slots {
            let slot = SlotID(rawValue: number)
            do throws(PKCS11Error) {
                result.append((slot, try info(of: slot)))
            } catch {
                // A token may go between the two calls, and a slot may hold what is no token of ours.
                continue
            }
        }
        return result
    }

    /// More slots or mechanisms than any module has.
    private static let longestList: UInt = 1 << 16

    /// The two-call pattern for lists of numbers, whose length may grow between the calls.
    private func list(
        _ function: CryptokiFunction,
        _ body: (CK_FUNCTION_LIST_PTR, UnsafeMutablePointer<UInt>?, UnsafeMutablePointer<UInt>) -> CK_RV?
    ) throws(PKCS11Error) -> [UInt] {
        for _ in 0..<8 {
            var count: UInt = 0
            // Asked for the number alone, SoftHSM says the same if a token is made meanwhile.
            let asked = unsafe line.call(function) { unsafe body($0, nil, &count) }
            if asked == .bufferTooSmall { continue }
            guard asked == .ok else { throw line.error(function, asked) }
            guard count <= Self.longestList else {
                throw line.error(.malformed("\(function.name) counts \(count)"))
            }
            var numbers = [UInt](repeating: 0, count: Int(count) + 4)
            count = UInt(numbers.count)
            let value = unsafe line.call(function) { unsafe body($0, &numbers, &count) }
            if value == .bufferTooSmall { continue }
            guard value == .ok else { throw line.error(function, value) }
            guard count <= numbers.count else {
                throw line.error(.malformed("\(function.name) counts beyond its buffer"))
            }
            return Array(numbers[..<Int(count)])
        }
        throw line.error(.malformed("\(function.name) never settles on a length"))
    }
}
