// SPDX-License-Identifier: Apache-2.0
internal import KeyfobDaemon
internal import KeyfobModel

DaemonProgram.run { (settings, sockets) throws(KeychainError) in KeychainDaemon(settings, sockets) }
