// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// logind, as far as the sleep of the machine goes (org.freedesktop.login1(5), "Inhibitor locks").
struct LoginManager: ~Copyable {
    /// What logind tells.
    enum Event: Equatable {
        /// The machine sleeps as soon as all who delay it have let go.
        case sleeps
        /// It is awake again, or does not sleep after all.
        case wakes
    }

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"
    private static let busName = "org.freedesktop.DBus"

    private let bus: SystemBus
    /// Who answers for logind; anybody can send a signal of that name, and only this sender's counts.
    private var owner: String?

    /// Connects to the system bus, and asks for logind's signals.
    ///
    /// - Parameter address: As for `SystemBus`.
    /// - Throws: if there is no bus.
    init(_ address: String? = nil) throws(PosixError) {
        let bus = try SystemBus.connect(address)
        try bus.addMatch(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)',"
                + "member='PrepareForSleep'")
        try bus.addMatch(
            "type='signal',sender='\(Self.busName)',interface='\(Self.busName)',member='NameOwnerChanged',"
                + "arg0='\(Self.name)'")
        self.bus = bus
    }

    /// Has the machine wait before it sleeps, until the descriptor is closed; at most logind's `InhibitDelayMaxSec=`.
    ///
    /// - Throws: if there is no logind, or it refuses.
    mutating func delaySleep(who: String, why: String) throws(PosixError) -> Descriptor {
        let answer = try bus.call(
            "Inhibit", of: Self.interface, at: Self.path, of: Self.name, ["sleep", who, why, "delay"])
        owner = answer.sender
        return try answer.readDescriptor()
    }

    /// Waits for an event and lets the other pass; false once `bell` rings.
    ///
    /// - Throws: if the bus or logind go away.
    func next(_ event: Event, until bell: borrowing WakeUp) throws(PosixError) -> Bool {
        while true {
            guard let message = try bus.next(until: bell) else { return false }
            if message.isSignal("PrepareForSleep", of: Self.interface), message.sender == owner {
                if try message.readBool() == (event == .sleeps) { return true }
            } else if message.isSignal("NameOwnerChanged", of: Self.busName), message.sender == Self.busName {
                let name = try message.readText()
                let former = try message.readText()
                // What was had from it is worth nothing any more.
                if name == Self.name, former == owner { throw PosixError(call: "logind", errno: ESRCH) }
            }
        }
    }
}
