// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension WireSink {
    /// The credentials that there are.
    mutating func credentials(_ credentials: Credentials?, pin: UInt8, password: UInt8) {
        guard let credentials else { return }
        secret(pin, credentials.pin)
        secret(password, credentials.applicationPassword)
    }
}

/// The credentials of a request on their way out of its frame.
struct ReceivedCredentials: ~Copyable {
    private var pin: SecretBytes?
    private var applicationPassword: SecretBytes?

    mutating func takePIN(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        pin = try WireValue.secret(bytes, range, limit: WireLimits.pinSize)
    }

    mutating func takePassword(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        applicationPassword = try WireValue.secret(bytes, range, limit: WireLimits.pinSize)
    }

    /// Nil if the frame has none, for which there is that one form.
    consuming func credentials() -> Credentials? {
        guard pin != nil || applicationPassword != nil else { return nil }
        return Credentials(pin: pin.take(), applicationPassword: applicationPassword.take())
    }
}
