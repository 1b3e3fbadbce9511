// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import Testing

@testable import KeyfobStore

struct FileSizeLimitTests {
    @Test func `A write that the system refuses for space is diskFull and loses nothing`() async throws {
        let folder = try ScratchFolder()
        let path = folder.path
        try makeStore(folder).close()
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let store = try ItemStore.open(path + "/store.db")
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            var number = 0
            while true {
                do throws(KeychainError) { try store.add(quickItem(number)) } catch {
                    let kept = try store.count(ItemSelection(scopes: [1]))
                    exit(error.code != .diskFull ? Int32(error.code.rawValue) : kept == number ? 7 : 8)
                }
                number += 1
            }
        }
        let store = try ItemStore.open(path + "/store.db")
        #expect(try store.count(ItemSelection(scopes: [1])) > 0)
        #expect(try store.integrityFaults() == [])
        try store.add(quickItem(1_000_000))
    }
}
