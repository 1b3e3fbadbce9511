/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CKeyfobShims.h"
#include <string.h>

void keyfob_zeroise(void *p, size_t n)
{
    explicit_bzero(p, n);
}

extern void keyfob_embedded_autostart(void) __attribute__((weak));

int keyfob_start_embedded(void)
{
    if (keyfob_embedded_autostart == NULL)
        return 0;
    keyfob_embedded_autostart();
    return 1;
}
