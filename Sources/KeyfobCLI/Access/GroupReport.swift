// SPDX-License-Identifier: Apache-2.0

/// One line of `keyfob group list`.
package struct GroupReport: Hashable, Sendable {
    package let name: String
    package let items: Int

    package init(name: String, items: Int) {
        self.name = name
        self.items = items
    }
}
