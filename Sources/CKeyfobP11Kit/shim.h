/* SPDX-License-Identifier: Apache-2.0 */
/* p11-kit.h needs size_t before it; CRYPTOKI_GNU stays undefined so that the names are the standard's. */
#include <stddef.h>
/* For p11_kit_remote_serve_module and p11_kit_override_system_files. */
#define P11_KIT_FUTURE_UNSTABLE_API 1
#include <p11-kit/p11-kit.h>
#include <p11-kit/remote.h>
#include <p11-kit/uri.h>
#include <p11-kit/pin.h>
