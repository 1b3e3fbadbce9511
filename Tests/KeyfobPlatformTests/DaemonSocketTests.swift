// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import Testing

struct DaemonSocketTests {
    @Test func `The system's daemon is tried last`() {
        #expect(DaemonSocket.candidates.last == DaemonSocket.system)
    }
}
