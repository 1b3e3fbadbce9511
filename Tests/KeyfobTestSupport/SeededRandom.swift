// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Random numbers that a seed makes, so that a failing run can be had again (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    /// The number that the run began with.
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// A fresh seed, or the one in the environment variable `KEYFOB_TEST_SEED`.
    ///
    /// A test that fails has to show `seed` in its message.
    package static func fresh() -> SeededRandom {
        let given = unsafe getenv("KEYFOB_TEST_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        return SeededRandom(seed: given ?? UInt64.random(in: .min ... .max))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
