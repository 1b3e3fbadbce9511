// SPDX-License-Identifier: Apache-2.0
internal import KeyfobDaemon
internal import KeyfobModel

DaemonProgram.run { (_, _) throws(KeychainError) in throw KeychainError(.unimplemented, .serve) }
