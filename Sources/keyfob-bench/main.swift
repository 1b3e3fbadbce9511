// SPDX-License-Identifier: Apache-2.0
internal import Glibc

exit(BenchProgram.main())
