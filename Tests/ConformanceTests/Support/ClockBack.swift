// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Runs `body` with the clock of the engine in this process so many seconds behind.
///
/// The clock of a daemon cannot be moved from here: in that mode the body runs by the true clock, and the row shows less.
func withClockBack(seconds: Double, _ body: () throws -> Void) throws {
    switch Sandbox.current?.mode {
    case .embedded: try WallClock.$offset.withValue(-seconds, operation: body)
    case .daemon: try body()
    case nil: throw NoSandbox()
    }
}
