/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CKEYFOB_SHIMS_H
#define CKEYFOB_SHIMS_H

#include <stddef.h>

/* Overwrites n bytes at p in a way the compiler may not drop (explicit_bzero is a macro-guarded extension). */
void keyfob_zeroise(void *p, size_t n);

/* PR_SET_DUMPABLE and PR_GET_DUMPABLE; prctl is variadic. The first returns 0 or -1 with errno set. */
int keyfob_set_dumpable(int dumpable);
int keyfob_get_dumpable(void);

/* PR_GET_NO_NEW_PRIVS: 1 if the process can gain no rights by execve. */
int keyfob_get_no_new_privileges(void);

/* PR_SET_NO_NEW_PRIVS; 0, or -1 with errno set. */
int keyfob_set_no_new_privileges(void);

/* close_range(2): 0, or -1 with errno set. Swift does not import it. */
int keyfob_close_range(unsigned int first, unsigned int last);

/* signalfd(2), which Swift does not import: a descriptor of the signals in a sigset_t, closed on exec and non-blocking,
   or -1 with errno set. */
int keyfob_signal_descriptor(const void *set);
/* The number of the next signal that waits, or 0: none. */
int keyfob_next_signal(int descriptor);

/* Calls the start routine of SecurityEmbedded if that library is linked into the program; 1 if it was, else 0.
   A weak reference is the one thing Swift cannot say. */
int keyfob_start_embedded(void);

#endif
