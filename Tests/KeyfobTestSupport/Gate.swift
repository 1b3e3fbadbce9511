// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// Holds a thread until a test lets it go, and tells the test that it has arrived.
package final class Gate: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// Blocks until `open`.
    package func pass() {
        arrived.signal()
        opened.wait()
    }

    /// Blocks until a thread is held.
    package func waitForArrival() {
        arrived.wait()
    }

    /// Lets one thread go.
    package func open() {
        opened.signal()
    }
}
