// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobDaemon

exit(DaemonProgram.run())
