/* SPDX-License-Identifier: Apache-2.0 */
/* p11-kit.h needs size_t before it; CRYPTOKI_GNU stays undefined so that the names are the standard's. */
#include <stddef.h>
#include <p11-kit/p11-kit.h>
#include <p11-kit/uri.h>
#include <p11-kit/pin.h>
