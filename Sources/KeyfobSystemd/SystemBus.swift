// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSystemd
internal import Glibc
internal import KeyfobPlatform

/// A connection to the system's message bus (sd-bus(3)), for the thread that made it alone.
@safe struct SystemBus: ~Copyable {
    /// How long a method may take, in microseconds.
    private static let callTimeout: UInt64 = 10_000_000

    private let bus: OpaquePointer?

    private init(owning bus: OpaquePointer?) {
        unsafe self.bus = unsafe bus
    }

    /// A connection to the bus.
    ///
    /// - Parameter address: Where, as D-Bus writes it; nil: at `DBUS_SYSTEM_BUS_ADDRESS`, else where it usually is.
    /// - Throws: if there is none, or it lets nobody in.
    static func connect(_ address: String? = nil) throws(PosixError) -> SystemBus {
        var made: OpaquePointer?
        guard let address else {
            try check("sd_bus_open_system", unsafe sd_bus_open_system(&made))
            return unsafe SystemBus(owning: made)
        }
        try check("sd_bus_new", unsafe sd_bus_new(&made))
        let connected = unsafe SystemBus(owning: made)
        try check("sd_bus_set_address", unsafe sd_bus_set_address(connected.bus, address))
        try check("sd_bus_set_bus_client", unsafe sd_bus_set_bus_client(connected.bus, 1))
        try check("sd_bus_start", unsafe sd_bus_start(connected.bus))
        return connected
    }

    deinit {
        unsafe sd_bus_close_unref(bus)
    }

    /// Asks the bus for the messages that a rule of the D-Bus specification fits.
    func addMatch(_ rule: String) throws(PosixError) {
        try Self.check("sd_bus_add_match", unsafe sd_bus_add_match(bus, nil, rule, nil, nil))
    }

    /// Calls a method that takes strings, and returns its answer; blocks, at most 10 seconds.
    ///
    /// - Throws: what the bus or the callee answered, as errno.
    func call(
        _ member: String, of interface: String, at path: String, of destination: String, _ arguments: [String]
    ) throws(PosixError) -> BusMessage {
        var made: OpaquePointer?
        try Self.check(
            "sd_bus_message_new_method_call",
            unsafe sd_bus_message_new_method_call(bus, &made, destination, path, interface, member))
        let message = unsafe BusMessage(owning: made)
        for argument in arguments { try message.append(argument) }
        var reply: OpaquePointer?
        try Self.check(member, unsafe sd_bus_call(bus, message.pointer, Self.callTimeout, nil, &reply))
        return unsafe BusMessage(owning: reply)
    }

    /// The next message; nil once `bell` rings.
    ///
    /// - Throws: if the connection ends.
    func next(until bell: borrowing WakeUp) throws(PosixError) -> BusMessage? {
        while true {
            var message: OpaquePointer?
            let result = unsafe sd_bus_process(bus, &message)
            try Self.check("sd_bus_process", result)
            if unsafe message != nil { return unsafe BusMessage(owning: message) }
            if result == 0, try isRung(bell) { return nil }
        }
    }

    /// Waits until the bus has something to do: false, or the bell rings.
    private func isRung(_ bell: borrowing WakeUp) throws(PosixError) -> Bool {
        let events = unsafe sd_bus_get_events(bus)
        try Self.check("sd_bus_get_events", events)
        var due: UInt64 = 0
        try Self.check("sd_bus_get_timeout", unsafe sd_bus_get_timeout(bus, &due))
        var watched = [
            pollfd(fd: unsafe sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: bell.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&watched, nfds_t(watched.count), Self.milliseconds(until: due)) >= 0 || errno == EINTR else {
            throw .last("poll")
        }
        return watched[1].revents != 0
    }

    /// Milliseconds until a moment in microseconds of `CLOCK_MONOTONIC`, of which the greatest is never.
    private static func milliseconds(until due: UInt64) -> Int32 {
        guard due != .max else { return -1 }
        let now = Moment.now.nanoseconds / 1000
        return due > now ? Int32(clamping: (due - now + 999) / 1000) : 0
    }

    static func check(_ call: String, _ result: Int32) throws(PosixError) {
        guard result >= 0 else { throw PosixError(call: call, errno: -result) }
    }
}

/// A message of the bus, read from its start to its end.
@safe struct BusMessage: ~Copyable {
    let pointer: OpaquePointer?

    /// Takes over a reference.
    init(owning pointer: OpaquePointer?) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe sd_bus_message_unref(pointer)
    }

    /// The unique name of who sent it, which the bus has written.
    var sender: String? { unsafe sd_bus_message_get_sender(pointer).map { unsafe String(cString: $0) } }

    func isSignal(_ member: String, of interface: String) -> Bool {
        unsafe sd_bus_message_is_signal(pointer, interface, member) > 0
    }

    func append(_ text: String) throws(PosixError) {
        try SystemBus.check(
            "sd_bus_message_append_basic",
            unsafe text.withCString {
                unsafe sd_bus_message_append_basic(pointer, CChar(bitPattern: UInt8(ascii: "s")), $0)
            })
    }

    /// The next value, which is a truth value.
    func readBool() throws(PosixError) -> Bool {
        var value: Int32 = 0
        try read("b", &value)
        return value != 0
    }

    /// The next value, which is a descriptor: a copy that the caller owns.
    func readDescriptor() throws(PosixError) -> Descriptor {
        var value: Int32 = -1
        try read("h", &value)
        let copy = fcntl(value, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard copy >= 0 else { throw .last("fcntl") }
        return Descriptor(owning: copy)
    }

    /// The next value, which is a string.
    func readText() throws(PosixError) -> String {
        var value: UnsafePointer<CChar>?
        try SystemBus.check(
            "sd_bus_message_read_basic",
            unsafe sd_bus_message_read_basic(pointer, CChar(bitPattern: UInt8(ascii: "s")), &value))
        return unsafe value.map { unsafe String(cString: $0) } ?? ""
    }

    private func read(_ type: Unicode.Scalar, _ value: inout Int32) throws(PosixError) {
        let result = unsafe sd_bus_message_read_basic(pointer, CChar(truncatingIfNeeded: type.value), &value)
        // 0: the message has ended.
        try SystemBus.check("sd_bus_message_read_basic", result == 0 ? -EBADMSG : result)
    }
}
