// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory

/// The place of a secret's first byte, to look at after its owner is gone.
///
/// A region of the arena is never unmapped.
func address(of secret: borrowing SecretBytes) -> UInt {
    unsafe secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
}

/// The bytes at an address, whoever owns them.
func peek(_ address: UInt, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
}

/// Writes one byte at an address.
func poke(_ address: UInt, _ byte: UInt8) {
    unsafe UnsafeMutableRawPointer(bitPattern: address)?.storeBytes(of: byte, as: UInt8.self)
}

/// That many zeros.
func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

/// The contents of a file under `/proc`; empty if it cannot be read.
func text(_ path: String) -> String {
    guard let file = unsafe fopen(path, "r") else { return "" }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while true {
        let byte = unsafe fgetc(file)
        if byte == EOF { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(UInt8(truncatingIfNeeded: byte))
    }
}

/// Kilobytes of locked memory of this process.
func lockedKilobytes() -> Int {
    let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmLck:") }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? -1
}

/// The flags that `/proc/self/smaps` gives the mapping of an address (proc(5), VmFlags).
func mappingFlags(_ address: UInt) -> [Substring] {
    var isInside = false
    for line in text("/proc/self/smaps").split(separator: "\n") {
        let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
        if bounds.count == 2 { isInside = (bounds[0]..<bounds[1]).contains(address) }
        if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ").dropFirst().map { $0 } }
    }
    return []
}

/// Takes this process the right to lock memory, root's included; for a process of its own.
func forbidLockingMemory() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe precondition(setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none) == 0, "no limit set")
    // Root may lock beyond any limit; somebody else may not.
    precondition(geteuid() != 0 || setuid(65534) == 0, "still root")
}
