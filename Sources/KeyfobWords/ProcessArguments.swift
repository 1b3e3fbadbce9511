// SPDX-License-Identifier: Apache-2.0

/// The arguments that the process was started with.
package enum ProcessArguments {
    /// All but the program's name.
    ///
    /// - Throws: `Failure` with status `usage` for one that is not UTF-8: repaired, it would name another item.
    package static func read() throws(Failure) -> [String] {
        var result: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let text = unsafe String(validatingCString: argument) else {
                throw Failure(.usage, "argument \(index) is not UTF-8", hint: "set a UTF-8 locale, such as C.UTF-8")
            }
            result.append(text)
        }
        return result
    }
}
