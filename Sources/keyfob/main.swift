// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobCLI
internal import KeyfobWords

exit(CommandLineTool.main().rawValue)
