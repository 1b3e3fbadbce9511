/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CKeyfobShims.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Newer than the headers that we build with. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

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

int keyfob_name_thread(const char *name)
{
    return prctl(PR_SET_NAME, name, 0, 0, 0);
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

int keyfob_next_signal_from(int descriptor, int *from_kernel)
{
    struct signalfd_siginfo info;

    if (read(descriptor, &info, sizeof info) != (ssize_t)sizeof info)
        return 0;
    *from_kernel = info.ssi_code == SI_KERNEL;
    return (int)info.ssi_signo;
}

int32_t keyfob_run_child(const char *file, char *const *arguments, char *const *environment, const void *mask)
{
    int ends[2], failed = 0;
    pid_t parent = getpid(), child;
    ssize_t count;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() != parent)
            _exit(127);
        sigprocmask(SIG_SETMASK, mask, NULL);
        execvpe(file, arguments, environment);
        failed = errno;
        (void)!write(ends[1], &failed, sizeof failed);
        _exit(127);
    }
    if (child < 0)
        failed = errno;
    close(ends[1]);
    if (child > 0) {
        do
            count = read(ends[0], &failed, sizeof failed);
        while (count < 0 && errno == EINTR);
        if (count > 0)
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
                ;
    }
    close(ends[0]);
    if (failed == 0)
        return child;
    errno = failed;
    return -1;
}

int keyfob_memory_folder(const char *path, uint64_t bytes)
{
    struct statfs status;

    return statfs(path, &status) == 0 && status.f_type == TMPFS_MAGIC
        && (uint64_t)status.f_bavail * (uint64_t)status.f_bsize >= bytes;
}

extern void keyfob_embedded_autostart(void) __attribute__((weak));

int keyfob_start_embedded(void)
{
    if (keyfob_embedded_autostart == NULL)
        return 0;
    keyfob_embedded_autostart();
    return 1;
}

int keyfob_accept(int listener)
{
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int keyfob_peer_credentials(int socket, int32_t *pid, uint32_t *uid, uint32_t *gid)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int keyfob_peer_groups(int socket, uint32_t *groups, int capacity)
{
    socklen_t size = (socklen_t)capacity * sizeof *groups;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0)
        return -1;
    return (int)(size / sizeof *groups);
}

int keyfob_peer_process(int socket)
{
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0)
        return -1;
    return process;
}

int keyfob_process_open(int32_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int keyfob_folder_open(const char *path)
{
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int keyfob_rename_new(const char *old_name, const char *new_name)
{
    return renameat2(AT_FDCWD, old_name, AT_FDCWD, new_name, RENAME_NOREPLACE);
}

const uint32_t keyfob_epoll_in = EPOLLIN, keyfob_epoll_out = EPOLLOUT, keyfob_epoll_once = EPOLLONESHOT;

int keyfob_epoll_create(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

int keyfob_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token)
{
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int keyfob_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token)
{
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

int keyfob_epoll_remove(int epoll, int descriptor)
{
    struct epoll_event unused = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &unused);
}

int keyfob_epoll_wait(int epoll, uint64_t *token, uint32_t *events, int milliseconds)
{
    struct epoll_event event;
    int count = epoll_wait(epoll, &event, 1, milliseconds);
    if (count > 0) {
        *token = event.data.u64;
        *events = event.events;
    }
    return count;
}

int keyfob_event_counter(void)
{
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}
