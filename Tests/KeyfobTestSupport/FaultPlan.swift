// SPDX-License-Identifier: Apache-2.0
package import KeyfobPKCS11
internal import Synchronization

/// Makes chosen Cryptoki calls fail, or hang, in front of a real token.
package final class FaultPlan: CallInterposer {
    private struct Fault {
        var skip: Int
        var times: Int
        var value: ReturnValue?
        var gate: Gate?
    }

    private let faults = Mutex<[CryptokiFunction: [Fault]]>([:])

    package init() {}

    /// Makes calls of `function` return `value` without reaching the token.
    ///
    /// - Parameters:
    ///   - skip: how many calls go through before.
    ///   - times: how many calls fail then.
    package func fail(_ function: CryptokiFunction, with value: ReturnValue, after skip: Int = 0, times: Int = 1) {
        add(function, Fault(skip: skip, times: times, value: value))
    }

    /// Makes the next call of `function` hang until the gate opens, and go to the token then.
    package func hang(_ function: CryptokiFunction) -> Gate {
        let gate = Gate()
        add(function, Fault(skip: 0, times: 1, gate: gate))
        return gate
    }

    /// Lets every call through again.
    package func clear() {
        faults.withLock { $0 = [:] }
    }

    package func intercept(_ function: CryptokiFunction) -> ReturnValue? {
        let fault: Fault? = faults.withLock { faults in
            guard var list = faults[function], var first = list.first else { return nil }
            defer { faults[function] = list }
            if first.skip > 0 {
                first.skip -= 1
                list[0] = first
                return nil
            }
            first.times -= 1
            if first.times == 0 { list.removeFirst() } else { list[0] = first }
            return first
        }
        fault?.gate?.pass()
        return fault?.value
    }

    private func add(_ function: CryptokiFunction, _ fault: Fault) {
        faults.withLock { $0[function, default: []].append(fault) }
    }
}
