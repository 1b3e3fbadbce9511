// SPDX-License-Identifier: Apache-2.0

/// What the command line asks for.
struct BenchOptions {
    /// Numbers of items, each measured in a keychain of its own.
    var sizes: [Int]
    /// How often every scenario has its turn.
    var rounds = 7
    var wantsJSON = false
    /// Whether the searches alone are measured, sizes beside each other.
    var wantsSearchGrowth = false
    var wantsHelp = false
    /// Whether programs are started for the cold start figures.
    var startsPrograms = true
    /// One scenario to run alone, for a profiler.
    var profiled: String?

    static let help = """
        Usage: keyfob-bench [OPTION]...

        Measures Keyfob on a SoftHSM token in a throw-away folder, beside the bare calls that no keychain can do
        without, all in the same run. Each figure is the median of many samples over several rounds.

          --items N[,N]...  items in the keychain while it is measured (1000)
          --rounds N        turns of every scenario (7)
          --search-growth   searches by attributes alone, all sizes beside each other (1000,10000,100000)
          --no-programs     leave out the cold starts of programs, and libsecret
          --profile ID      run the scenario with that ID alone, and print nothing: for a profiler
          --json            for machines
          --help            show this

        TMPDIR says where the folder is made: a figure of durable writes is one of that disk.
        """

    /// Reads the arguments after the program's name.
    init(_ arguments: [String]) throws(BenchFailure) {
        var rest = arguments[...]
        var sizes: [Int]?
        while let argument = rest.popFirst() {
            switch argument {
            case "--items": sizes = try Self.numbers(rest.popFirst(), argument)
            case "--rounds": rounds = try Self.numbers(rest.popFirst(), argument)[0]
            case "--search-growth": wantsSearchGrowth = true
            case "--no-programs": startsPrograms = false
            case "--profile":
                guard let id = rest.popFirst() else { throw BenchFailure("--profile needs an ID, as --json prints it") }
                profiled = id
            case "--json": wantsJSON = true
            case "--help": wantsHelp = true
            default: throw BenchFailure("\(argument) is no option; keyfob-bench --help lists them")
            }
        }
        self.sizes = sizes ?? (wantsSearchGrowth ? [1000, 10_000, 100_000] : [1000])
    }

    private static func numbers(_ text: String?, _ option: String) throws(BenchFailure) -> [Int] {
        let numbers = (text ?? "").split(separator: ",").map { Int($0) ?? 0 }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) else {
            throw BenchFailure("\(option) needs a number above 0")
        }
        return numbers
    }
}
