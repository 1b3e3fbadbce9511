/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CKEYFOB_SHIMS_H
#define CKEYFOB_SHIMS_H

#include <stddef.h>
#include <stdint.h>

/* Overwrites n bytes at p in a way the compiler may not drop (explicit_bzero is a macro-guarded extension). */
void keyfob_zeroise(void *p, size_t n);

/* PR_SET_DUMPABLE and PR_GET_DUMPABLE; prctl is variadic. The first returns 0 or -1 with errno set. */
int keyfob_set_dumpable(int dumpable);
int keyfob_get_dumpable(void);

/* PR_GET_NO_NEW_PRIVS: 1 if the process can gain no rights by execve. */
int keyfob_get_no_new_privileges(void);

/* PR_SET_NAME: the first 15 bytes name the calling thread. Returns 0 or -1 with errno set. */
int keyfob_name_thread(const char *name);

/* PR_SET_NO_NEW_PRIVS; 0, or -1 with errno set. */
int keyfob_set_no_new_privileges(void);

/* close_range(2): 0, or -1 with errno set. Swift does not import it. */
int keyfob_close_range(unsigned int first, unsigned int last);

/* signalfd(2), which Swift does not import: a descriptor of the signals in a sigset_t, closed on exec and non-blocking,
   or -1 with errno set. */
int keyfob_signal_descriptor(const void *set);
/* The number of the next signal that waits, or 0: none. */
int keyfob_next_signal(int descriptor);
/* The same; *from_kernel says whether the kernel sent it (a key of the terminal, its end) and no process did. */
int keyfob_next_signal_from(int descriptor, int *from_kernel);

/* Runs a program in a child that gets SIGTERM when the calling thread ends (PR_SET_PDEATHSIG, which posix_spawn cannot
   set), with the signal mask at `mask` (a sigset_t). The file is looked up in PATH. Returns the child's number, or -1 with
   errno set, also when the program could not be run. For processes of one thread. */
int32_t keyfob_run_child(const char *file, char *const *arguments, char *const *environment, const void *mask);

/* 1 if the path leads to a file system in memory (tmpfs) on which `bytes` are free, else 0. */
int keyfob_memory_folder(const char *path, uint64_t bytes);

/* Calls the start routine of SecurityEmbedded if that library is linked into the program; 1 if it was, else 0.
   A weak reference is the one thing Swift cannot say. */
int keyfob_start_embedded(void);

/* What <sys/socket.h> and <fcntl.h> declare for GNU programs only, which Swift's Glibc is not. All return -1 with errno
   set when they fail; descriptors are never inherited by children. */

/* accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC. */
int keyfob_accept(int listener);
/* SO_PEERCRED: who connected, or made the pair. */
int keyfob_peer_credentials(int socket, int32_t *pid, uint32_t *uid, uint32_t *gid);
/* SO_PEERGROUPS: the number of supplementary groups, at most `capacity` of them written; ERANGE if there are more. */
int keyfob_peer_groups(int socket, uint32_t *groups, int capacity);
/* SO_PEERPIDFD (Linux 6.5): a descriptor of the process that connected. */
int keyfob_peer_process(int socket);
/* pidfd_open(2), for which glibc 2.36 has the first wrapper. */
int keyfob_process_open(int32_t pid);
/* Opens a folder only to name files in it (O_PATH). */
int keyfob_folder_open(const char *path);
/* renameat2 with RENAME_NOREPLACE: EEXIST if there is a file of the new name. */
int keyfob_rename_new(const char *old_name, const char *new_name);

/* <sys/epoll.h> and <sys/eventfd.h>, which Swift's Glibc does not import. */
extern const uint32_t keyfob_epoll_in, keyfob_epoll_out, keyfob_epoll_once;
int keyfob_epoll_create(void);
int keyfob_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int keyfob_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token);
int keyfob_epoll_remove(int epoll, int descriptor);
/* Waits for one event; 1, or 0 after `milliseconds` (-1 waits for good). */
int keyfob_epoll_wait(int epoll, uint64_t *token, uint32_t *events, int milliseconds);
/* A non-blocking counter. */
int keyfob_event_counter(void);

#endif
