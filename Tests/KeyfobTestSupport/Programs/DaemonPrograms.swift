// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The package's programs where users of no privilege may run them: the folder of the build may be closed to them.
package enum DaemonPrograms {
    private static let copies: Result<String, SpawnedProgram.Failure> = {
        do throws(SpawnedProgram.Failure) {
            let products = try SpawnedProgram.productsFolder()
            let folder =
                FileManager.default.temporaryDirectory.path + "/keyfob-programs-\(UInt64.random(in: 0 ... .max))"
            guard unsafe mkdir(folder, 0o755) == 0, unsafe chmod(folder, 0o755) == 0 else {
                throw SpawnedProgram.Failure(call: "mkdir \(folder)", errno: Glibc.errno)
            }
            // The last one is for tests that isolate a module; others may be built without it.
            let isolating = ["keyfob-module-host"].filter { unsafe access("\(products)/\($0)", X_OK) == 0 }
            let names = ["keyfobd", "keyfob", "keyfob-test-program", "libCKeyfobMockModule.so"] + isolating
            let copying = try LiveProgram(path: "/bin/cp", names.map { "\(products)/\($0)" } + [folder])
            guard copying.wait() == 0 else {
                throw SpawnedProgram.Failure(call: "cp: \(copying.errorText)", errno: 0)
            }
            for name in names { unsafe chmod("\(folder)/\(name)", 0o755) }
            atexit { DaemonPrograms.remove() }
            return .success(folder)
        } catch {
            return .failure(error)
        }
    }()

    /// The path of a copy that every user may run; the copies go with the process.
    package static func path(_ name: String) throws(SpawnedProgram.Failure) -> String {
        try copies.get() + "/" + name
    }

    private static func remove() {
        guard case .success(let folder) = copies else { return }
        // The process ends: a folder that cannot be removed has nobody to be told to.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
