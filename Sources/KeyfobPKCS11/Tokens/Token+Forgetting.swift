// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension Token {
    /// Makes a token forget its login that takes no notice of `C_Logout`: finalises its module, resets the card if it is
    /// one, and initialises the module again.
    ///
    /// OpenSC sends nothing to a PIV card at a logout, nor at its own end: the card stays verified for every program until
    /// it loses power. So a slot of hardware counts as having forgotten only after its reader has reset the card. Every
    /// session and every session object of the process on the module is gone afterwards, every handle is of before.
    ///
    /// Blocks until the calls that run have ended, and for a new start of the module.
    ///
    /// - Returns: false if the module is in use elsewhere in the process or a call hangs, so that it was not started anew; or if
    ///   the card could not be reset.
    /// - Throws: what `C_Initialize` returned; `.tokenNotFound` if the token is not there afterwards.
    package func forgetLogin() throws(PKCS11Error) -> Bool {
        try forgetLogin(SlotDescription.ask(line, slot))
    }

    /// The same for a card or another device; a token that is software is left as it is, and true.
    package func forgetLoginOfDevice() throws(PKCS11Error) -> Bool {
        let description = try SlotDescription.ask(line, slot)
        return try description.isHardware ? forgetLogin(description) : true
    }

    private func forgetLogin(_ description: SlotDescription) throws(PKCS11Error) -> Bool {
        var isForgotten = !description.isHardware
        let isNew = try module.reinitialize {
            if description.isHardware { isForgotten = CardReader(name: description.text).resetCard() }
        }
        guard isNew else { return false }
        try findAgain()
        return isForgotten
    }
}
