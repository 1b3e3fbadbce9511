// SPDX-License-Identifier: Apache-2.0
// The process of an isolated module; started by p11-kit with one socket as standard input and output.
internal import Glibc
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform

do {
    try ProcessHardening.apply()
    try ProcessHardening.forbidNewPrivileges()
    try ProcessHardening.ignoreBrokenPipes()
    try InheritedDescriptors.close(except: [])
    try ParentWatch.start(STDIN_FILENO)
} catch {
    exit(1)
}
exit(ModuleHost.serve(input: STDIN_FILENO, output: STDOUT_FILENO))
