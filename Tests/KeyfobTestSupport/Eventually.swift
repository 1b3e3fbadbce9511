// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// Waits for something that threads bring about; false if it does not come within a minute.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = Moment.now + .seconds(60)
    while Moment.now < end {
        if try condition() { return true }
        usleep(500)
    }
    return false
}
