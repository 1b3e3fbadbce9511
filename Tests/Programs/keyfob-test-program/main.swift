// SPDX-License-Identifier: Apache-2.0
// A program that the tests start, replace, kill, crash and look into; each verb is one thing that they need done.
internal import Glibc

let words = Array(CommandLine.arguments.dropFirst())
let verb = words.first ?? ""
let arguments = Array(words.dropFirst())

do {
    switch verb {
    case "make": try KeychainVerbs.make(pinFile: arguments[0])
    case "own": try KeychainVerbs.own()
    case "objects": try KeychainVerbs.objects()
    case "add-many": try KeychainVerbs.addMany(from: Int(arguments[0]) ?? 0)
    case "audit": try KeychainVerbs.audit()
    case "audit-log": try KeychainVerbs.auditLog()
    case "states": try KeychainVerbs.states()
    case "open": ApplicationMemoryVerb.open()
    case "idle": try IdleLockVerb.run(arguments)
    case "memory-engine": try EngineMemoryVerb.run()
    case "memory-api": try ApplicationMemoryVerb.run()
    case "crash": try CrashVerbs.crash(arguments[0], isHardened: !arguments.contains("unprotected"))
    case "wait": try CrashVerbs.wait(isHardened: arguments.contains("hardened"))
    case "converse": ItemVerbs.converse()
    case "hold": try HoldVerb.run(arguments[0], Int(arguments[1]) ?? 0)
    case "owner-calls": try OwnerVerb.run()
    case "token": try TokenVerb.run(arguments[0], pinFile: arguments[1])
    case "fork": try ForkVerb.run()
    case "isolate": IsolateVerb.run()
    case "peek": CrashVerbs.peek(at: Int32(arguments[0]) ?? 0)
    default: ItemVerbs.run(verb, arguments)
    }
} catch {
    Answer.line("error \(error)")
    exit(1)
}
exit(0)
