/* SPDX-License-Identifier: Apache-2.0 */
/* The death of the process at a chosen call. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CKeyfobMockModule.h"
#include "mock.h"

void die_if_told(enum function function, unsigned long count, int is_after)
{
    const char *told = getenv("KEYFOB_MOCK_KILL");

    if (told == NULL && strncmp(mock_parameters(), "mock:kill=", 10) == 0)
        told = mock_parameters() + 10;
    char place[64];

    if (told == NULL)
        return;
    snprintf(place, sizeof place, "%s:%lu%s", function_names[function], count, is_after ? ":after" : "");
    if (strcmp(told, place) == 0)
        kill(getpid(), SIGKILL);
}
