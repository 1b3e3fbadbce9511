// SPDX-License-Identifier: Apache-2.0
// keyfobd with another service inside: it opens the keychain and unlocks it as the daemon does, and tells everybody who
// connects how things stand. For tests of the frame and of the units.
internal import KeyfobDaemon
internal import KeyfobModel

DaemonProgram.run { (settings, sockets) throws(KeychainError) in TestService(settings, sockets) }
