// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// Commands to an Assuan server and its replies; what it sends as data goes straight into secret memory.
///
/// Every byte that the server sends passes through a buffer in secret memory, which is wiped line by line.
struct AssuanConversation: ~Copyable {
    private let program: String
    private var buffer: SecretBytes
    private var filled = 0
    private var data: SecretBytes
    private var dataCount = 0

    private init(program: String, buffer: consuming SecretBytes, data: consuming SecretBytes) {
        self.program = program
        self.buffer = buffer
        self.data = data
    }

    /// - Throws: the errors of memory.
    static func begin(_ program: String) throws(KeychainError) -> AssuanConversation {
        // The protocol's lines have at most 1000 bytes.
        let buffer = try SecretBytes.zeros(4096, .prompt)
        return AssuanConversation(program: program, buffer: buffer, data: try .zeros(Pinentry.limit, .prompt))
    }

    /// Sends a command and waits for its answer: nil for OK, else the code of the error.
    mutating func ask(
        _ command: String, _ parameter: String = "", of child: borrowing ChildProcess
    ) throws(KeychainError) -> UInt32? {
        let line = Array(command.utf8) + (parameter.isEmpty ? [] : [UInt8(ascii: " ")] + AssuanReply.encode(parameter))
        do {
            try child.send(line + [UInt8(ascii: "\n")])
        } catch {
            throw KeychainError(
                .pinNotGiven, .prompt, subject: .path(program), cause: .posix(call: error.call, errno: error.errno))
        }
        return try answer(child)
    }

    /// Reads replies up to the one that ends a command.
    mutating func answer(_ child: borrowing ChildProcess) throws(KeychainError) -> UInt32? {
        while true {
            let end = try receiveLine(child)
            let reply = unsafe buffer.withUnsafeBytes {
                unsafe AssuanReply(UnsafeRawBufferPointer(rebasing: $0[..<end]))
            }
            if case .data(let range) = reply { try take(range) }
            drop(end + 1)
            switch reply {
            case .ok: return nil
            case .error(let code): return code
            case .data, .notice: break
            case .inquire, nil: throw failed("an unexpected reply")
            }
        }
    }

    /// The data of all replies so far.
    consuming func takeData() -> SecretBytes {
        data.truncate(to: dataCount)
        return data
    }

    /// The error for a program that does not do its part.
    func failed(_ fault: String) -> KeychainError {
        KeychainError(
            .pinNotGiven, .prompt, subject: .path(program), cause: .format(place: program, fault: fault),
            remedy: .fixConfiguration)
    }

    /// Reads until the buffer holds a line; the place of its newline.
    private mutating func receiveLine(_ child: borrowing ChildProcess) throws(KeychainError) -> Int {
        while true {
            let end = unsafe buffer.withUnsafeBytes { unsafe $0[..<filled].firstIndex(of: UInt8(ascii: "\n")) }
            if let end { return end }
            guard filled < buffer.count else { throw failed("a line that is too long") }
            let offset = filled
            let count: Int
            do throws(PosixError) {
                count = unsafe try buffer.withUnsafeMutableBytes { (buffer) throws(PosixError) in
                    unsafe try child.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]))
                }
            } catch {
                throw KeychainError(error, .prompt, path: program)
            }
            guard count > 0 else { throw failed("no answer") }
            filled += count
        }
    }

    private mutating func take(_ range: Range<Int>) throws(KeychainError) {
        let offset = dataCount
        let count = unsafe buffer.withUnsafeBytes { buffer in
            unsafe data.withUnsafeMutableBytes { data in
                unsafe AssuanReply.decode(
                    UnsafeRawBufferPointer(rebasing: buffer[range]),
                    into: UnsafeMutableRawBufferPointer(rebasing: data[offset...]))
            }
        }
        guard let count else {
            throw KeychainError(
                .pinLength, .prompt, subject: .path(program),
                remedy: .choosePINLength(minimum: 1, maximum: Pinentry.limit))
        }
        dataCount += count
    }

    /// Removes bytes from the front of the buffer and wipes what becomes free.
    private mutating func drop(_ count: Int) {
        let rest = filled - count
        let former = filled
        unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[count..<former]))
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[rest..<former]).initializeMemory(
                as: UInt8.self, repeating: 0)
        }
        filled = rest
    }
}
