// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import Testing

struct CallerTests {
    @Test func `The current caller is this process`() {
        let caller = Caller.current()
        #expect(caller.uid == geteuid())
        #expect(caller.gid == getegid())
        #expect(caller.pid == getpid())
        #expect(caller.executable?.hasPrefix("/") == true)
        unsafe #expect(access(caller.executable ?? "", X_OK) == 0)
    }

    @Test(arguments: [
        ("0::/system.slice/shop.service", "shop.service"),
        ("0::/system.slice/system-web.slice/web@a\\x2db.service", "web@a\\x2db.service"),
        ("0::/user.slice/user-1000.slice/session-3.scope", "session-3.scope"),
        ("12:cpu:/\n1:name=systemd:/system.slice/old.service\n0::/ignored.service", "old.service"),
        ("0::/shop.service\n1:name=systemd:/system.slice/old.service", "old.service"),
        ("0::/system.slice/_cpu.service", "cpu.service"),
        ("0::/system.slice/shop.service/inner/other.service", "shop.service"),
    ])
    func `The first unit below the slices is the unit`(cgroups: String, unit: String) {
        #expect(Caller.unit(cgroups: cgroups) == unit)
    }

    @Test(arguments: ["", "0::/", "0::/docker/0123abcd", "0::/docker/0123/shop.service", "garbage", "0::/system.slice"])
    func `Outside of a unit there is none`(cgroups: String) {
        #expect(Caller.unit(cgroups: cgroups) == nil)
    }

    @Test func `A unit that a user made does not pass for a system unit`() {
        let cgroups = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/shop.service"
        #expect(Caller.unit(cgroups: cgroups) == "user@1000.service/shop.service")
    }

    @Test func `A user's manager itself is its own unit`() {
        let cgroups = "0::/user.slice/user-1000.slice/user@1000.service/init"
        #expect(Caller.unit(cgroups: cgroups) == "user@1000.service")
    }
}
