// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

extension Provisioner {
    /// Destroys every key of the passcode class that the keychain has on the token, and makes the next one.
    ///
    /// Needs a login. The number of the new one is higher than that of any that was found or is known.
    ///
    /// On an adopted pair it is a key that the host holds: the last one went with its sealed form in the store.
    ///
    /// - Parameters:
    ///   - other: a key of the keychain that the token keeps; the new one has its suite, and its pair if it was adopted.
    ///   - keep: stores what belongs to the key; if it throws, the key is destroyed.
    static func renewPasscodeKey(
        of keychain: ItemUUID, on token: Token, like other: KeyRecord?, after known: UInt32,
        keep: (KeyRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) -> KeyRecord {
        var provisioner = try Provisioner(keychain: keychain, token: token)
        let found = try provisioner.destroyPasscodeKeys()
        do throws(KeychainError) {
            let generation = max(known, found ?? 0) + 1
            let id = ClassKeyID(.whenPasscodeSetThisDeviceOnly, generation: generation)
            let record: KeyRecord
            if let objectID = other?.material.objectID {
                let pair = try AdoptedPair.find(objectID, other?.suite, on: token, in: provisioner.session)
                record = try provisioner.adoptedKey(id, pair).record
            } else {
                record = try provisioner.tokenKey(id, other?.suite ?? .aesGCM, .tokenPrivate).record
            }
            try provisioner.destroyWaste()
            try keep(record)
            return record
        } catch {
            provisioner.destroyMade()
            throw error
        }
    }

    /// The newest generation that was there; nil if there was none.
    private func destroyPasscodeKeys() throws(KeychainError) -> UInt32? {
        var newest: UInt32?
        do {
            // As there may be others' objects, all are looked at; few tokens have more than a few dozen.
            let keys = try session.find(ClassKeyTemplate.all(.secretKey), limit: Self.objectLimit)
            let pairs = try session.find(ClassKeyTemplate.all(.privateKey), limit: Self.objectLimit)
            for handle in keys + pairs {
                guard let id = try session.bytes(of: handle, .id),
                    let generation = KeyName.generation(of: id, .whenPasscodeSetThisDeviceOnly, in: keychain)
                else { continue }
                try session.destroyObject(handle)
                newest = max(newest ?? 0, generation)
            }
        } catch {
            throw KeychainError(error, .provision)
        }
        return newest
    }

    private static var objectLimit: Int { 100_000 }
}
