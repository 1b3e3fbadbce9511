// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How many descriptors the process may have open (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// Raises the soft limit to `count` if the hard one lets it; the limit afterwards.
    ///
    /// It is never lowered.
    package static func raise(to count: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        let wanted = min(rlim_t(clamping: count), limit.rlim_max)
        if wanted > limit.rlim_cur {
            var raised = rlimit(rlim_cur: wanted, rlim_max: limit.rlim_max)
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
