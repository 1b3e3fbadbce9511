// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobCLI

exit(CommandLineTool.main().rawValue)
