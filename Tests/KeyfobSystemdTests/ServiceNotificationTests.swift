// SPDX-License-Identifier: Apache-2.0
import KeyfobSystemd
import Testing

struct ServiceNotificationTests {
    @Test func `Without a manager nothing is sent`() {
        #expect(!ServiceNotification.send(["READY=1"]))
    }
}
