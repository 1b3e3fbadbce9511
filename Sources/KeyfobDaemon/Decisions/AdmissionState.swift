// SPDX-License-Identifier: Apache-2.0

/// Counts connections and the bytes that they hold, by user, and decides who may have more.
///
/// No lock.
///
/// The owner and root may fill everything; one other user may have a part of it, and all others together leave some.
struct AdmissionState {
    /// Whose connection it is.
    struct User: Hashable {
        let uid: UInt32
        /// The owner of the keychain, or root.
        let isOwner: Bool
    }

    private struct Share {
        var connections = 0
        var bytes = 0
    }

    private(set) var connections = 0
    /// Bytes of frames that are not complete or wait, and of answers that nobody has read.
    private(set) var bytes = 0
    private var others = Share()
    private var shares: [UInt32: Share] = [:]
    private let limits: ServerSettings

    init(limits: ServerSettings) {
        self.limits = limits
    }

    /// A connection was made; false if it may not stay.
    mutating func connect(_ user: User) -> Bool {
        guard connections < limits.connections else { return false }
        if !user.isOwner {
            guard others.connections < limits.connections - limits.connectionsForOwner,
                shares[user.uid, default: Share()].connections < limits.connectionsOfOneUser
            else { return false }
            others.connections += 1
            shares[user.uid, default: Share()].connections += 1
        }
        connections += 1
        return true
    }

    /// A connection that was let in has gone; it holds no bytes any more.
    mutating func disconnect(_ user: User) {
        connections -= 1
        guard !user.isOwner else { return }
        others.connections -= 1
        change(user) { $0.connections -= 1 }
    }

    /// Memory is wanted; false if it may not be had.
    mutating func reserve(_ count: Int, _ user: User) -> Bool {
        guard count <= limits.bytesInFlight - bytes else { return false }
        if !user.isOwner {
            guard count <= limits.bytesInFlight / 8 * 7 - others.bytes,
                count <= limits.bytesInFlight / 2 - shares[user.uid, default: Share()].bytes
            else { return false }
            others.bytes += count
            change(user) { $0.bytes += count }
        }
        bytes += count
        return true
    }

    /// Memory that was had is given back.
    mutating func release(_ count: Int, _ user: User) {
        bytes -= count
        guard !user.isOwner else { return }
        others.bytes -= count
        change(user) { $0.bytes -= count }
    }

    /// A user who has nothing is forgotten: there are as many as there are numbers.
    private mutating func change(_ user: User, _ body: (inout Share) -> Void) {
        var share = shares[user.uid, default: Share()]
        body(&share)
        shares[user.uid] = share.connections == 0 && share.bytes == 0 ? nil : share
    }
}
