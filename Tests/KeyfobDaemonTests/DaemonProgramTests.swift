// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

struct DaemonProgramTests {
    @Test func `A process knows its own hygiene`() {
        let status = ProcessStatus.current()
        #expect(status.pid > 1)
        #expect(status.version == Version.current)
    }
}
