// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel

/// The whole run.
enum BenchProgram {
    /// Exit status: 0, or 1 if something could not be measured that was asked for.
    static func main() -> Int32 {
        do {
            let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp {
                write(BenchOptions.help)
            } else {
                try run(options)
            }
            return 0
        } catch {
            let words = (error as? BenchFailure)?.words ?? "\(error)"
            write("keyfob-bench: error: \(words)", to: STDERR_FILENO)
            return 1
        }
    }

    private static func run(_ options: BenchOptions) throws {
        if options.wantsSearchGrowth {
            let growth = try SearchGrowth(options)
            return write(options.wantsJSON ? json(growth.reports) : growth.table)
        }
        var reports: [Report] = []
        for size in options.sizes {
            if let id = options.profiled {
                try Measurement(items: size, options).profile(id)
                continue
            }
            let report = try Measurement(items: size, options).report()
            if !options.wantsJSON { write(report.table + "\n") }
            reports.append(report)
        }
        if options.wantsJSON && options.profiled == nil { write(json(reports)) }
    }

    private static func json(_ reports: [Report]) -> String {
        "[\(reports.map(\.json).joined(separator: ",\n"))]"
    }

    private static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nobody reads any more: there is nobody to tell.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
