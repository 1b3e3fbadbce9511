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

/* Calls the start routine of SecurityEmbedded if that library is linked into the program; 1 if it was, else 0.
   A weak reference is the one thing Swift cannot say. */
int keyfob_start_embedded(void);

#endif
