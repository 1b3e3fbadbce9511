/* SPDX-License-Identifier: Apache-2.0 */
/* The function list: every function of calls.h between `before` and `after`. */
#define _GNU_SOURCE
#include "CKeyfobMockModule.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"

CK_FUNCTION_LIST *real;
pthread_mutex_t mock_lock = PTHREAD_MUTEX_INITIALIZER;
struct session *sessions;
int is_initialized;
/* Whether SoftHSM was initialised by us, and not by others in the process. */
static int is_ours;

const char *const function_names[FUNCTION_COUNT] = {
#define CALL(name, ...) #name,
#include "calls.h"
};

/* -- Sessions ------------------------------------------------------------------------------------------------------ */

struct session *session_of(CK_SESSION_HANDLE handle)
{
    struct session *session = sessions;

    while (session != NULL && session->handle != handle)
        session = session->next;
    return session;
}

void label_of_session(CK_SESSION_HANDLE handle, char label[33])
{
    pthread_mutex_lock(&mock_lock);
    struct session *session = session_of(handle);
    strcpy(label, session != NULL ? session->label : "");
    pthread_mutex_unlock(&mock_lock);
}

void label_of_slot(CK_SLOT_ID slot, char label[33])
{
    CK_TOKEN_INFO info;

    label[0] = 0;
    if (real->C_GetTokenInfo(slot, &info) != CKR_OK)
        return;
    memcpy(label, info.label, 32);
    size_t end = 32;
    while (end > 0 && label[end - 1] == ' ')
        end--;
    label[end] = 0;
}

/* Ends the sessions of the token with a label, or all. The login goes too, though others in the process may have
   sessions that would keep it. */
void end_sessions(const char *label)
{
    for (struct session *session = sessions; session != NULL; session = session->next) {
        CK_SESSION_HANDLE spare;

        if (session->is_dead || (label[0] != 0 && strcmp(label, session->label) != 0))
            continue;
        session->is_dead = 1;
        if (real->C_OpenSession(session->slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &spare) == CKR_OK) {
            real->C_Logout(spare);
            real->C_CloseSession(spare);
        }
        if (session->calls == 0)
            real->C_CloseSession(session->handle);
    }
}

static CK_RV own_open_session(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                              CK_SESSION_HANDLE *handle)
{
    CK_RV result = real->C_OpenSession(slot, flags, application, notify, handle);
    struct session *session = result == CKR_OK ? calloc(1, sizeof *session) : NULL;

    if (session == NULL)
        return result;
    session->handle = *handle;
    session->slot = slot;
    label_of_slot(slot, session->label);
    pthread_mutex_lock(&mock_lock);
    session->next = sessions;
    sessions = session;
    pthread_mutex_unlock(&mock_lock);
    return CKR_OK;
}

static CK_RV own_close_session(CK_SESSION_HANDLE handle)
{
    CK_RV result = real->C_CloseSession(handle);

    pthread_mutex_lock(&mock_lock);
    struct session *session = session_of(handle);
    if (session != NULL && result == CKR_OK)
        session->is_dead = session->is_closed = 1;
    pthread_mutex_unlock(&mock_lock);
    return result;
}

/* -- Module and slots ---------------------------------------------------------------------------------------------- */

/* What the module was initialised with last. */
static char parameters[256];

const char *mock_parameters(void)
{
    return parameters;
}

static CK_RV own_initialize(void *reserved)
{
    CK_RV result = CKR_CRYPTOKI_ALREADY_INITIALIZED;

    pthread_mutex_lock(&mock_lock);
    if (!is_initialized) {
        CK_C_INITIALIZE_ARGS *given = reserved, passed;

        /* The text is ours: SoftHSM would refuse it. */
        if (given != NULL && given->pReserved != NULL) {
            if (strncmp(given->pReserved, "mock:", 5) != 0) {
                pthread_mutex_unlock(&mock_lock);
                return CKR_ARGUMENTS_BAD;
            }
            snprintf(parameters, sizeof parameters, "%s", (const char *)given->pReserved);
            passed = *given;
            passed.pReserved = NULL;
            reserved = &passed;
        }
        result = real->C_Initialize(reserved);
        if (result == CKR_OK)
            is_ours = 1;
        if (result == CKR_CRYPTOKI_ALREADY_INITIALIZED)
            result = CKR_OK;
        is_initialized = result == CKR_OK;
    }
    pthread_mutex_unlock(&mock_lock);
    return result;
}

static CK_RV own_finalize(void *reserved)
{
    CK_RV result = CKR_OK;

    pthread_mutex_lock(&mock_lock);
    end_sessions("");
    if (is_ours)
        result = real->C_Finalize(reserved);
    is_ours = is_initialized = 0;
    pthread_mutex_unlock(&mock_lock);
    return result;
}

/* `all` has room for `found` slots. */
static CK_RV shown_slots(CK_BBOOL present, CK_SLOT_ID *all, CK_ULONG found, CK_SLOT_ID *slots, CK_ULONG *count)
{
    CK_ULONG shown = 0, room = *count;
    CK_RV result = real->C_GetSlotList(present, all, &found);

    if (result != CKR_OK)
        return result;
    for (CK_ULONG i = 0; i < found; i++) {
        struct rule moved;
        char label[33];

        label_of_slot(all[i], label);
        if (present && take(NULL, REMOVED, CALL_C_GetSlotList, label, 0))
            continue;
        if (take(&moved, MOVED, CALL_C_GetSlotList, label, 0))
            all[i] += moved.value;
        all[shown++] = all[i];
    }
    *count = shown;
    if (slots != NULL && shown > room)
        return CKR_BUFFER_TOO_SMALL;
    if (slots != NULL)
        memcpy(slots, all, shown * sizeof *slots);
    return CKR_OK;
}

static CK_RV own_get_slot_list(CK_BBOOL present, CK_SLOT_ID *slots, CK_ULONG *count)
{
    CK_ULONG found = 0;
    CK_RV result;

    if (!is_scripted())
        return real->C_GetSlotList(present, slots, count);
    /* SoftHSM looks for new tokens only when it is asked for the number. Others make tokens meanwhile. */
    if ((result = real->C_GetSlotList(present, NULL, &found)) != CKR_OK)
        return result;
    found += 64;
    CK_SLOT_ID *all = calloc(found, sizeof *all);
    if (all == NULL)
        return CKR_HOST_MEMORY;
    if (slots == NULL)
        *count = found;
    result = shown_slots(present, all, found, slots, count);
    free(all);
    return result;
}

static void show(const struct rule *rule, CK_BYTE *field, size_t size)
{
    memset(field, ' ', size);
    memcpy(field, rule->bytes, (size_t)rule->size < size ? (size_t)rule->size : size);
}

static CK_RV own_get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    CK_RV result = real->C_GetTokenInfo(slot, info);
    char label[33];
    struct rule rule;

    if (result != CKR_OK || !is_scripted())
        return result;
    label_of_slot(slot, label);
    if (take(&rule, FLAGS, CALL_C_GetTokenInfo, label, 0))
        info->flags = (info->flags & ~rule.other) | rule.value;
    if (take(&rule, PIN_LENGTH, CALL_C_GetTokenInfo, label, 0)) {
        info->ulMinPinLen = rule.value;
        info->ulMaxPinLen = rule.other;
    }
    if (take(&rule, SHOW_LABEL, CALL_C_GetTokenInfo, label, 0))
        show(&rule, info->label, sizeof info->label);
    if (take(&rule, SHOW_SERIAL, CALL_C_GetTokenInfo, label, 0))
        show(&rule, info->serialNumber, sizeof info->serialNumber);
    return CKR_OK;
}

/* -- The list ------------------------------------------------------------------------------------------------------ */

#define CALL(name, next, subject, its_handle, its_length, parameters, arguments)       \
    static CK_RV mock_##name parameters                                                \
    {                                                                                  \
        struct call call = { .function = CALL_##name, .about = subject };              \
        call.handle = its_handle;                                                      \
        call.length = its_length;                                                      \
        CK_RV answer = before(&call);                                                  \
                                                                                       \
        return answer != PASS ? answer : after(&call, next arguments);                 \
    }
#include "calls.h"

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR result)
{
    static const char *const paths[] = {
        "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so",
    };
    static CK_FUNCTION_LIST list;
    CK_RV (*get)(CK_FUNCTION_LIST_PTR_PTR) = NULL;

    for (size_t i = 0; get == NULL && i < sizeof paths / sizeof *paths; i++) {
        void *library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL)
            *(void **)&get = dlsym(library, "C_GetFunctionList");
    }
    if (get == NULL || get(&real) != CKR_OK)
        return CKR_GENERAL_ERROR;
    list = *real;
    list.C_GetFunctionList = C_GetFunctionList;
#define CALL(name, ...) list.name = mock_##name;
#include "calls.h"
    *result = &list;
    return CKR_OK;
}
