/* SPDX-License-Identifier: Apache-2.0 */
/* The script: its commands, and what they make of a call. */
#define _GNU_SOURCE
#include "CKeyfobMockModule.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mock.h"

static struct rule *rules;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned releases, hanging;
static unsigned long counts[FUNCTION_COUNT];
static int log_file = -1;

/* -- Rules --------------------------------------------------------------------------------------------------------- */

int is_scripted(void)
{
    pthread_mutex_lock(&mock_lock);
    int is = rules != NULL;
    pthread_mutex_unlock(&mock_lock);
    return is;
}

struct rule *rule_for(int kinds, enum function function, const char *label, CK_ULONG type)
{
    for (struct rule *rule = rules; rule != NULL; rule = rule->next)
        if ((rule->kind & kinds) != 0 && (rule->function == function || rule->function == ANY_FUNCTION) &&
            (rule->label[0] == 0 || strcmp(rule->label, label) == 0) && rule->type == type)
            return rule;
    return NULL;
}

static void remove_rule(struct rule *gone)
{
    for (struct rule **link = &rules; *link != NULL; link = &(*link)->next)
        if (*link == gone) {
            *link = gone->next;
            free(gone);
            return;
        }
}

static int take_locked(struct rule *taken, int kinds, enum function function, const char *label, CK_ULONG type)
{
    struct rule *rule = rule_for(kinds, function, label, type);

    if (rule == NULL || rule->skip > 0) {
        if (rule != NULL)
            rule->skip--;
        return 0;
    }
    if (taken != NULL)
        *taken = *rule;
    if (rule->times > 0 && --rule->times == 0)
        remove_rule(rule);
    return 1;
}

int take(struct rule *taken, int kinds, enum function function, const char *label, CK_ULONG type)
{
    pthread_mutex_lock(&mock_lock);
    int found = take_locked(taken, kinds, function, label, type);
    pthread_mutex_unlock(&mock_lock);
    return found;
}

/* -- Commands ------------------------------------------------------------------------------------------------------ */

/* The next word of a line; empty at its end. */
static char *word(char **line)
{
    *line += strspn(*line, " \t");
    char *start = *line;
    *line += strcspn(*line, " \t");
    if (**line != 0)
        *(*line)++ = 0;
    return start;
}

static char *rest(char **line)
{
    *line += strspn(*line, " \t");
    return *line;
}

static int number(char **line, CK_ULONG *value)
{
    char *text = word(line), *end;

    *value = strtoul(text, &end, 0);
    return *text != 0 && *end == 0;
}

static int function_named(char **line, enum function *function)
{
    char *name = word(line);

    if (strcmp(name, "*") == 0) {
        *function = ANY_FUNCTION;
        return 1;
    }
    for (*function = 0; *function < FUNCTION_COUNT; *function += 1)
        if (strcmp(name, function_names[*function]) == 0)
            return 1;
    return 0;
}

/* Hexadecimal digits, or "-" for no attribute at all. */
static int hex(char **line, struct rule *rule)
{
    char *text = word(line);
    int used;

    for (rule->size = 0; text[0] != '-' && text[0] != 0; text += 2)
        if (rule->size == sizeof rule->bytes || sscanf(text, "%2hhx%n", &rule->bytes[rule->size++], &used) != 1 ||
            used != 2)
            return 0;
    if (text[0] == '-')
        rule->size = -1;
    return 1;
}

static int text(char **line, struct rule *rule)
{
    rule->size = (int)strlen(rest(line));
    if ((size_t)rule->size > sizeof rule->bytes)
        return 0;
    memcpy(rule->bytes, *line, (size_t)rule->size);
    *line += rule->size;
    return 1;
}

/* [after=N] [times=K], nothing else behind it. */
static int repetition(char **line, struct rule *rule)
{
    char end;

    for (char *option = word(line); *option != 0; option = word(line))
        if (sscanf(option, "after=%lu%c", &rule->skip, &end) != 1 &&
            sscanf(option, "times=%lu%c", &rule->times, &end) != 1)
            return 0;
    return 1;
}

static int add(struct rule rule, const char *scope)
{
    struct rule **link = &rules, *added = malloc(sizeof rule);

    if (added == NULL)
        return 0;
    while (*link != NULL)
        link = &(*link)->next;
    *added = rule;
    strcpy(added->label, scope);
    added->next = NULL;
    *link = added;
    return 1;
}

static void remove_rules(int kinds, const char *scope)
{
    for (struct rule *rule = rules, *next; rule != NULL; rule = next) {
        next = rule->next;
        if ((rule->kind & kinds) != 0 && (scope[0] == 0 || strcmp(rule->label, scope) == 0))
            remove_rule(rule);
    }
}

static int run(char *line, char scope[33])
{
    struct rule rule = { .function = ANY_FUNCTION, .times = 1 };
    char *command = word(&line);
#define IS(name, a_kind) (strcmp(command, name) == 0 && (rule.kind = (a_kind)) != 0)
#define FOR_EVER (rule.times = 0, 1)

    if (*command == 0 || *command == '#')
        return 1;
    if (strcmp(command, "token") == 0)
        return snprintf(scope, 33, "%s", rest(&line)) < 33;
    if (IS("answer", ANSWER) || IS("sleep", SLEEP))
        return function_named(&line, &rule.function) && number(&line, &rule.value) && repetition(&line, &rule) &&
               add(rule, scope);
    if (IS("hang", HANG))
        return function_named(&line, &rule.function) && repetition(&line, &rule) && add(rule, scope);
    if (IS("length", LENGTH)) {
        if (!function_named(&line, &rule.function))
            return 0;
        rule.value = LENGTH_AS_GIVEN;
        if (strncmp(rest(&line), "given", 5) == 0 ? *word(&line) == 0 : !number(&line, &rule.value))
            return 0;
        return repetition(&line, &rule) && add(rule, scope);
    }
    if (IS("flags", FLAGS) || IS("pin-length", PIN_LENGTH)) {
        remove_rules(rule.kind, scope);
        return FOR_EVER && number(&line, &rule.value) && number(&line, &rule.other) && add(rule, scope);
    }
    if (IS("show-label", SHOW_LABEL) || IS("show-serial", SHOW_SERIAL) || IS("device-pin", DEVICE_PIN) ||
        IS("device-so-pin", DEVICE_SO_PIN) || IS("device-new-pin", DEVICE_NEW_PIN)) {
        remove_rules(rule.kind, scope);
        return FOR_EVER && text(&line, &rule) && add(rule, scope);
    }
    if (IS("strip", STRIP))
        return FOR_EVER && number(&line, &rule.type) && add(rule, scope);
    if (IS("read", READ))
        return FOR_EVER && number(&line, &rule.type) && hex(&line, &rule) && repetition(&line, &rule) &&
               add(rule, scope);
    if (IS("refuse", REFUSE))
        return FOR_EVER && function_named(&line, &rule.function) && number(&line, &rule.type) && hex(&line, &rule) &&
               number(&line, &rule.value) && repetition(&line, &rule) && add(rule, scope);
    if (IS("keep-login", KEEP_LOGIN)) {
        rule.value = *rest(&line) == 0 ? KEEP_ALL : strcmp(line, "hidden") == 0 ? KEEP_HIDDEN : KEEP_COPIES;
        return FOR_EVER && (rule.value != KEEP_COPIES || strcmp(line, "copies") == 0) && add(rule, scope);
    }
    if (IS("move", MOVED)) {
        remove_rules(MOVED, scope);
        return FOR_EVER && number(&line, &rule.value) && add(rule, scope);
    }
    if (IS("remove", REMOVED)) {
        rule.value = CKR_DEVICE_REMOVED;
        if (*rest(&line) != 0 && !number(&line, &rule.value))
            return 0;
        remove_rules(REMOVED, scope);
        end_sessions(scope);
        return FOR_EVER && add(rule, scope);
    }
    if (strcmp(command, "insert") == 0) {
        remove_rules(REMOVED, scope);
        return 1;
    }
    if (strcmp(command, "fail-over") == 0) {
        end_sessions(scope);
        return 1;
    }
    if (strcmp(command, "finalize") == 0) {
        end_sessions("");
        is_initialized = 0;
        return 1;
    }
    if (strcmp(command, "release") == 0) {
        releases++;
        pthread_cond_broadcast(&changed);
        return 1;
    }
    if (strcmp(command, "log") == 0) {
        if (log_file >= 0)
            close(log_file);
        log_file = open(rest(&line), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        return log_file >= 0;
    }
    return 0;
}

static int run_all(const char *commands)
{
    char scope[33] = "", *copy = strdup(commands), *line, *next = copy;

    for (int count = 1; copy != NULL && (line = strsep(&next, "\n")) != NULL; count++)
        if (!run(line, scope)) {
            free(copy);
            return count;
        }
    free(copy);
    return 0;
}

static void reset(void)
{
    remove_rules(~0, "");
    releases++;
    pthread_cond_broadcast(&changed);
}

int mock_script(const char *commands)
{
    pthread_mutex_lock(&mock_lock);
    int wrong = run_all(commands);
    pthread_mutex_unlock(&mock_lock);
    return wrong;
}

void mock_reset(void)
{
    pthread_mutex_lock(&mock_lock);
    reset();
    pthread_mutex_unlock(&mock_lock);
}

unsigned long mock_calls(const char *name)
{
    unsigned long count = 0;

    pthread_mutex_lock(&mock_lock);
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(name, function_names[i]) == 0)
            count = counts[i];
    pthread_mutex_unlock(&mock_lock);
    return count;
}

static void wait_a_moment(long milliseconds)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&changed, &mock_lock, &end);
}

int mock_wait_for_hang(unsigned count, unsigned seconds)
{
    pthread_mutex_lock(&mock_lock);
    for (unsigned i = 0; hanging < count && i < 100 * seconds; i++)
        wait_a_moment(10);
    int is_there = hanging >= count;
    pthread_mutex_unlock(&mock_lock);
    return is_there;
}

/* -- The file of a program that is scripted from outside ----------------------------------------------------------- */

static void read_file_if_changed(void)
{
    static struct stat known;
    const char *name = getenv("KEYFOB_MOCK_SCRIPT");
    struct stat found;
    char commands[16384];

    if (name == NULL || stat(name, &found) != 0 ||
        (found.st_ino == known.st_ino && found.st_size == known.st_size &&
         found.st_mtim.tv_sec == known.st_mtim.tv_sec && found.st_mtim.tv_nsec == known.st_mtim.tv_nsec))
        return;
    known = found;
    int file = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, commands, sizeof commands - 1);
    if (file >= 0)
        close(file);
    commands[size < 0 ? 0 : size] = 0;
    reset();
    int wrong = run_all(commands);
    if (size < 0 || wrong != 0) {
        fprintf(stderr, "mock module: %s:%d cannot be read\n", name, wrong);
        abort();
    }
}

/* -- Calls --------------------------------------------------------------------------------------------------------- */

/* Finds out which token a call is about, and the slot where that token really is. */
static CK_RV locate(struct call *call)
{
    struct rule *rule;

    if (call->about == ABOUT_SESSION && (call->session = session_of(*call->handle)) != NULL)
        strcpy(call->label, call->session->label);
    if (call->about != ABOUT_SLOT || rules == NULL)
        return PASS;
    for (rule = rules; rule != NULL; rule = rule->next) {
        if (rule->kind != MOVED)
            continue;
        label_of_slot(*call->handle - rule->value, call->label);
        if (call->label[0] != 0 && (rule->label[0] == 0 || strcmp(rule->label, call->label) == 0)) {
            *call->handle -= rule->value;
            return PASS;
        }
    }
    label_of_slot(*call->handle, call->label);
    return rule_for(MOVED, call->function, call->label, 0) != NULL ? CKR_SLOT_ID_INVALID : PASS;
}

/* What the state of module and token make of a call. */
static CK_RV state_answer(const struct call *call)
{
    struct rule *removed = call->about == ABOUT_MODULE ? NULL : rule_for(REMOVED, call->function, call->label, 0);

    if (!is_initialized && call->function != CALL_C_Initialize)
        return CKR_CRYPTOKI_NOT_INITIALIZED;
    if (removed != NULL)
        return call->about == ABOUT_SLOT ? CKR_TOKEN_NOT_PRESENT : removed->value;
    return call->session != NULL && call->session->is_dead ? CKR_SESSION_HANDLE_INVALID : PASS;
}

static void hang(void)
{
    unsigned before = releases;

    hanging++;
    pthread_cond_broadcast(&changed);
    while (releases == before) {
        wait_a_moment(20);
        read_file_if_changed();
    }
    hanging--;
}

CK_RV before(struct call *call)
{
    struct rule rule;

    pthread_mutex_lock(&mock_lock);
    read_file_if_changed();
    die_if_told(call->function, ++counts[call->function], 0);
    if (log_file >= 0)
        dprintf(log_file, "%s\n", function_names[call->function]);
    call->given = call->length != NULL ? *call->length : 0;
    CK_RV answer = locate(call);
    if (call->session != NULL)
        call->session->calls++;
    if (answer == PASS)
        answer = state_answer(call);
    if (answer == PASS && take_locked(&rule, ANSWER | SLEEP | HANG, call->function, call->label, 0)) {
        if (rule.kind == ANSWER) {
            answer = rule.value;
        } else if (rule.kind == HANG) {
            hang();
        } else {
            pthread_mutex_unlock(&mock_lock);
            usleep((useconds_t)rule.value * 1000);
            pthread_mutex_lock(&mock_lock);
        }
        if (answer == PASS)
            answer = state_answer(call);
    }
    pthread_mutex_unlock(&mock_lock);
    return answer == PASS ? PASS : after(call, answer);
}

CK_RV after(struct call *call, CK_RV result)
{
    struct rule rule;

    pthread_mutex_lock(&mock_lock);
    die_if_told(call->function, counts[call->function], 1);
    if (result == CKR_OK && call->length != NULL && take_locked(&rule, LENGTH, call->function, call->label, 0))
        *call->length = rule.value == LENGTH_AS_GIVEN ? call->given : rule.value;
    struct session *session = call->session;
    if (session != NULL && --session->calls == 0 && session->is_dead) {
        if (!session->is_closed)
            real->C_CloseSession(session->handle);
        session->is_closed = 1;
        if (call->function == CALL_C_CloseSession) {
            struct session **link = &sessions;
            while (*link != session)
                link = &(*link)->next;
            *link = session->next;
            free(session);
        }
    }
    pthread_mutex_unlock(&mock_lock);
    return result;
}
