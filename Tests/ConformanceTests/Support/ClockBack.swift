// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Runs `body` with the clock of the engine in this process so many seconds behind.
///
/// A daemon's clock cannot be moved from here: the rows that need it run in the embedded mode alone.
func withClockBack(seconds: Double, _ body: () throws -> Void) throws {
    switch Sandbox.current?.mode {
    case .embedded: try WallClock.$offset.withValue(-seconds, operation: body)
    case .daemon: return
    case nil: throw NoSandbox()
    }
}
