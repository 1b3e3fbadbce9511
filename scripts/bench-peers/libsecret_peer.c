/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that stays and asks libsecret for one password again and again, as a server does: what a copy through
 * Keyfob's daemon is compared with. scripts/bench compiles it where libsecret is installed; keyfob-bench runs it on a
 * D-Bus with a gnome-keyring of its own.
 *
 * One connection, one session and one item for the whole run. Each line on the standard input asks for a round: fifty
 * samples, each the mean of ten lookups, as keyfob-bench samples its own copies. The answer is a line of nanoseconds a
 * lookup, one number a sample. Ends with its input; status 1, and why on the standard error, if the keyring does not
 * answer or answers with another value.
 */
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { calls_a_sample = 10, samples_a_round = 50, patience_seconds = 30 };

static const char password[] = "01234567890123456789012345678901";
static const char service_name[] = "libsecret-peer.example.org";
static const char account_name[] = "account@example.org";

static const SecretSchema schema = {
    .name = "org.example.KeyfobBench",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {
        {"service", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"account", SECRET_SCHEMA_ATTRIBUTE_STRING},
    },
};

static void fail(const char *what, const GError *error)
{
    fprintf(stderr, "libsecret_peer: error: %s: %s\n", what, error != NULL ? error->message : "no reason given");
    exit(1);
}

/* Opens the session that lasts for the whole run, and stores the one item. A keyring that was just started takes a
   moment until it answers. */
static SecretService *prepare(void)
{
    for (int attempt = 1;; attempt++) {
        GError *error = NULL;
        SecretService *service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, NULL, &error);
        if (service != NULL) {
            if (secret_password_store_sync(
                    &schema, SECRET_COLLECTION_DEFAULT, "keyfob-bench", password, NULL, &error, "service",
                    service_name, "account", account_name, NULL))
                return service;
            g_object_unref(service);
            secret_service_disconnect();
        }
        if (attempt == 50) fail("the keyring stores nothing", error);
        g_clear_error(&error);
        usleep(100000);
    }
}

static void look_up(void)
{
    GError *error = NULL;
    gchar *found = secret_password_lookup_sync(
        &schema, NULL, &error, "service", service_name, "account", account_name, NULL);
    if (found == NULL) fail("the keyring finds nothing", error);
    if (strcmp(found, password) != 0) fail("the keyring finds another value", NULL);
    secret_password_free(found);
}

/* The mean time of a sample's lookups in nanoseconds. */
static long long sample(void)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int call = 0; call < calls_a_sample; call++) look_up();
    clock_gettime(CLOCK_MONOTONIC, &end);
    long long time = (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec);
    return time / calls_a_sample;
}

int main(void)
{
    /* A keyring without a collection asks somebody for a password, and here is nobody. */
    alarm(patience_seconds);
    SecretService *service = prepare();
    alarm(0);
    for (int byte = getchar(); byte != EOF; byte = getchar()) {
        if (byte != '\n') continue;
        long long times[samples_a_round];
        for (int index = 0; index < samples_a_round; index++) times[index] = sample();
        for (int index = 0; index < samples_a_round; index++) printf("%s%lld", index == 0 ? "" : " ", times[index]);
        printf("\n");
        if (fflush(stdout) != 0) return 1;
    }
    g_object_unref(service);
    return 0;
}
