/* SPDX-License-Identifier: Apache-2.0 */
/* What of logind the sleep of the machine needs (org.freedesktop.login1(5)), on the bus at DBUS_SYSTEM_BUS_ADDRESS.
 *
 * Says "ready", and "inhibit WHAT MODE WHO SENDER" for each lock that is taken. Does what its standard input says:
 *   sleep        tells that the machine sleeps; says "asleep" once nobody delays it, or "late" after a minute
 *   wake         tells that it is awake; says "awake"
 *   count        says "held N", how many delay it
 *   forge NAME   has a stranger tell NAME alone that the machine sleeps; says "forged"
 * and ends with its standard input. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#define NAME "org.freedesktop.login1"
#define PATH "/org/freedesktop/login1"
#define INTERFACE "org.freedesktop.login1.Manager"
#define MOST 64

static int held[MOST];
static int count;

static void must(int result, const char *call) {
    if (result >= 0) return;
    fprintf(stderr, "keyfob-test-logind: %s: %s\n", call, strerror(-result));
    exit(1);
}

static int inhibit(sd_bus_message *message, void *data, sd_bus_error *error) {
    const char *what, *who, *why, *mode;
    int ends[2];
    (void)data;
    (void)error;
    int result = sd_bus_message_read(message, "ssss", &what, &who, &why, &mode);
    if (result < 0) return result;
    if (count == MOST) return -EMFILE;
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    result = sd_bus_reply_method_return(message, "h", ends[1]);
    close(ends[1]);
    held[count++] = ends[0];
    printf("inhibit %s %s %s %s\n", what, mode, who, sd_bus_message_get_sender(message));
    return result;
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Inhibit", "ssss", "h", inhibit, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("PrepareForSleep", "b", 0),
    SD_BUS_VTABLE_END,
};

/* Forgets the locks whose holder has let go. */
static void look(void) {
    for (int i = 0; i < count; i++) {
        struct pollfd one = {.fd = held[i], .events = POLLIN};
        if (poll(&one, 1, 0) <= 0) continue;
        close(held[i]);
        held[i--] = held[--count];
    }
}

static void serve(sd_bus *bus) {
    int result;
    while ((result = sd_bus_process(bus, NULL)) > 0) {}
    must(result, "sd_bus_process");
    must(sd_bus_flush(bus), "sd_bus_flush");
}

static void sleep_now(sd_bus *bus) {
    must(sd_bus_emit_signal(bus, PATH, INTERFACE, "PrepareForSleep", "b", 1), "sd_bus_emit_signal");
    time_t end = time(NULL) + 60;
    for (;;) {
        serve(bus);
        look();
        if (count == 0 || time(NULL) > end) break;
        /* The first lock that goes, or the bus, wakes it. */
        struct pollfd both[2] = {{.fd = held[0], .events = POLLIN}, {.fd = sd_bus_get_fd(bus), .events = POLLIN}};
        poll(both, 2, 1000);
    }
    puts(count == 0 ? "asleep" : "late");
}

static void forge(const char *name) {
    sd_bus *stranger;
    sd_bus_message *message;
    must(sd_bus_open_system(&stranger), "sd_bus_open_system");
    must(sd_bus_message_new_signal(stranger, &message, PATH, INTERFACE, "PrepareForSleep"), "new_signal");
    must(sd_bus_message_append(message, "b", 1), "append");
    must(sd_bus_message_set_destination(message, name), "set_destination");
    must(sd_bus_send(stranger, message, NULL), "sd_bus_send");
    sd_bus_message_unref(message);
    /* An answer from the bus: it has handed on what came before. */
    must(sd_bus_call_method(stranger, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer",
                            "Ping", NULL, NULL, ""),
         "Ping");
    sd_bus_flush_close_unref(stranger);
    puts("forged");
}

static void obey(sd_bus *bus, const char *line) {
    if (strcmp(line, "sleep") == 0) {
        sleep_now(bus);
    } else if (strcmp(line, "wake") == 0) {
        must(sd_bus_emit_signal(bus, PATH, INTERFACE, "PrepareForSleep", "b", 0), "sd_bus_emit_signal");
        puts("awake");
    } else if (strcmp(line, "count") == 0) {
        look();
        printf("held %d\n", count);
    } else if (strncmp(line, "forge ", 6) == 0) {
        forge(line + 6);
    }
}

int main(void) {
    sd_bus *bus;
    char line[512];
    size_t used = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    must(sd_bus_open_system(&bus), "sd_bus_open_system");
    must(sd_bus_add_object_vtable(bus, NULL, PATH, INTERFACE, methods, NULL), "sd_bus_add_object_vtable");
    must(sd_bus_request_name(bus, NAME, 0), "sd_bus_request_name");
    puts("ready");
    for (;;) {
        serve(bus);
        struct pollfd both[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = sd_bus_get_fd(bus), .events = POLLIN}};
        poll(both, 2, -1);
        if (!both[0].revents) continue;
        ssize_t got = read(STDIN_FILENO, line + used, 1);
        if (got <= 0) return 0;
        if (line[used] != '\n' && used < sizeof line - 1) {
            used++;
            continue;
        }
        line[used] = 0;
        used = 0;
        serve(bus);
        obey(bus, line);
    }
}
