// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
package import KeyfobPKCS11

/// The mock module for one test alone: a copy of its library, which nobody else scripts, counts on or finalises.
///
/// For programs that a test starts there is `MockScriptFile`.
@safe package final class MockModule: @unchecked Sendable {
    // @unchecked: the handle of dlopen is constant, and what it leads to locks.
    /// The copied file: what a token's URI names as its module.
    package let path: String
    private let handle: UnsafeMutableRawPointer

    package init() throws {
        path = "\(SoftHSM.shared.folder)/mock-\(UInt64.random(in: 0 ... .max)).so"
        let library = try SpawnedProgram.productsFolder() + "/libCKeyfobMockModule.so"
        try FileManager.default.copyItem(atPath: library, toPath: path)
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw POSIXError(.ENOENT) }
        unsafe self.handle = handle
    }

    /// Does the steps at once, in their order.
    package func script(_ steps: MockStep...) {
        script(steps)
    }

    /// The same for a list.
    package func script(_ steps: [MockStep]) {
        let run = unsafe unsafeBitCast(symbol("mock_script"), to: (@convention(c) (UnsafePointer<CChar>) -> Int32).self)
        let wrong = unsafe run(MockStep.script(steps))
        guard wrong == 0 else { fatalError("the mock module does not know: \(steps[Int(wrong) - 1])") }
    }

    /// Takes back what was scripted and lasts, and lets go the calls that hang.
    package func reset() {
        unsafe unsafeBitCast(symbol("mock_reset"), to: (@convention(c) () -> Void).self)()
    }

    /// How often a function was called by way of this module, answered calls included.
    package func calls(of function: CryptokiFunction) -> Int {
        let count = unsafe unsafeBitCast(
            symbol("mock_calls"), to: (@convention(c) (UnsafePointer<CChar>) -> UInt).self)
        return unsafe Int(count(function.name))
    }

    /// The text that `C_Initialize` got last; those that do not begin with `mock:` are refused.
    package var parameters: String {
        unsafe String(
            cString: unsafeBitCast(
                symbol("mock_parameters"), to: (@convention(c) () -> UnsafePointer<CChar>).self)())
    }

    /// Blocks until a call hangs; false if none does within half a minute.
    package func waitForHang(_ count: UInt32 = 1, seconds: UInt32 = 30) -> Bool {
        let wait = unsafe unsafeBitCast(
            symbol("mock_wait_for_hang"), to: (@convention(c) (UInt32, UInt32) -> Int32).self)
        return wait(count, seconds) != 0
    }

    private func symbol(_ name: String) -> UnsafeMutableRawPointer {
        guard let symbol = unsafe dlsym(handle, name) else { fatalError("the mock module has no \(name)") }
        return unsafe symbol
    }
}
