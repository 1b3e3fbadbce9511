// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import Testing

@testable import KeyfobEngine

struct AccessPolicyGroupTests {
    private static func identifier(_ group: String, gid: UInt32, groups: [UInt32]) -> [AccessGroup] {
        let rule = AccessPolicy.Rule(group: group, applicationIdentifier: "ACME.matched")
        let caller = Caller(uid: 54321, gid: gid, groups: groups, pid: 1, executable: nil, unit: nil)
        return AccessPolicy(rules: [rule]).entitlements(of: caller).groups
    }

    @Test(arguments: [(54322, []), (1, [54322]), (1, [2, 3, 54322])] as [(UInt32, [UInt32])])
    func `A rule's group is the main group or any supplementary one`(gid: UInt32, groups: [UInt32]) {
        #expect(Self.identifier("54322", gid: gid, groups: groups) == [AccessGroup("ACME.matched")])
    }

    @Test func `A rule's group may be a name`() {
        #expect(Self.identifier("root", gid: 54322, groups: [7, 0]) == [AccessGroup("ACME.matched")])
    }

    @Test(arguments: ["54322", "root", "no-such-group-at-all"])
    func `A caller in none of the groups does not match`(group: String) {
        #expect(Self.identifier(group, gid: 1, groups: [2, 3]) == [AccessGroup("user.54321")])
    }
}
