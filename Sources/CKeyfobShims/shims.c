/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CKeyfobShims.h"
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

void keyfob_zeroise(void *p, size_t n)
{
    explicit_bzero(p, n);
}

int keyfob_set_dumpable(int dumpable)
{
    return prctl(PR_SET_DUMPABLE, (unsigned long)dumpable, 0, 0, 0);
}

int keyfob_get_dumpable(void)
{
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

int keyfob_get_no_new_privileges(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

int keyfob_set_no_new_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int keyfob_close_range(unsigned int first, unsigned int last)
{
    return close_range(first, last, 0);
}

int keyfob_signal_descriptor(const void *set)
{
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int keyfob_next_signal(int descriptor)
{
    struct signalfd_siginfo info;

    return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

extern void keyfob_embedded_autostart(void) __attribute__((weak));

int keyfob_start_embedded(void)
{
    if (keyfob_embedded_autostart == NULL)
        return 0;
    keyfob_embedded_autostart();
    return 1;
}
