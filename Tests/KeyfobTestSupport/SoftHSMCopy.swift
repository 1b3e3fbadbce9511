// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// A second SoftHSM in the process: a copy of the library under another name, with its own sessions and logins, on the
/// same token folder.
///
/// For tests of what other users of a module in the process do to us, beneath p11-kit.
@safe package final class SoftHSMCopy: @unchecked Sendable {
    // @unchecked: the handle of dlopen is constant.
    /// The copied file.
    package let path: String
    private let handle: UnsafeMutableRawPointer

    package init() throws {
        path = "\(SoftHSM.shared.folder)/copy-\(UInt64.random(in: 0 ... .max)).so"
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: SoftHSM.shared.modulePath).resolvingSymlinksInPath(),
            to: URL(fileURLWithPath: path))
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw POSIXError(.ENOENT) }
        unsafe self.handle = handle
    }

    /// `C_Initialize(NULL)`, as a library that knows nothing of us calls it.
    package func initialize() throws -> UInt { try call("C_Initialize") }

    /// `C_Finalize(NULL)`.
    package func finalize() throws -> UInt { try call("C_Finalize") }

    /// Whether the library is initialised: 0 (`CKR_OK`) or 0x190 (`CKR_CRYPTOKI_NOT_INITIALIZED`) of `C_GetInfo`.
    package func getInfo() throws -> UInt {
        let info = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 8)
        defer { unsafe info.deallocate() }
        return unsafe try function("C_GetInfo")(info)
    }

    private func call(_ name: String) throws -> UInt { unsafe try function(name)(nil) }

    private func function(
        _ name: String
    ) throws -> @convention(c) (UnsafeMutableRawPointer?) -> UInt {
        guard let symbol = unsafe dlsym(handle, name) else { throw POSIXError(.ENOSYS) }
        return unsafe unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> UInt).self)
    }
}
