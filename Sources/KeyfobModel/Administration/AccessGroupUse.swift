// SPDX-License-Identifier: Apache-2.0

/// An access group that holds items.
package struct AccessGroupUse: Hashable, Sendable {
    package let group: AccessGroup
    package let items: Int

    package init(group: AccessGroup, items: Int) {
        self.group = group
        self.items = items
    }
}
