/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KEYFOB_MOCK_H
#define KEYFOB_MOCK_H

#include <pthread.h>

#include <p11-kit/pkcs11.h>

/* SoftHSM. */
extern CK_FUNCTION_LIST *real;

enum function {
#define CALL(name, ...) CALL_##name,
#include "calls.h"
    FUNCTION_COUNT,
    ANY_FUNCTION
};

extern const char *const function_names[FUNCTION_COUNT];

/* One call on its way. */
struct call {
    enum function function;
    enum { ABOUT_MODULE, ABOUT_SLOT, ABOUT_SESSION } about;
    CK_ULONG *handle; /* slot or session */
    CK_ULONG *length; /* the length that it answers, if it does */
    CK_ULONG given;   /* what was there before */
    char label[33];   /* of the token, empty where there is none */
    struct session *session;
};

/* What is told to happen. The first rule of a kind for a function and a token is the one that counts. */
enum kind {
    ANSWER = 1, SLEEP = 2, HANG = 4, LENGTH = 8, /* of a call */
    REMOVED = 16, MOVED = 32, FLAGS = 64, SHOW_LABEL = 128, SHOW_SERIAL = 256, PIN_LENGTH = 512, DEVICE_PIN = 1024,
    STRIP = 2048, READ = 4096, REFUSE = 8192, /* of attributes */
    KEEP_LOGIN = 16384,
    DEVICE_SO_PIN = 32768, DEVICE_NEW_PIN = 65536
};

enum keep { KEEP_ALL, KEEP_HIDDEN, KEEP_COPIES };

#define LENGTH_AS_GIVEN ((CK_ULONG)-2)

struct rule {
    struct rule *next;
    enum kind kind;
    enum function function;
    char label[33];       /* empty: any token */
    CK_ULONG skip, times; /* times 0: for ever */
    CK_ULONG type;        /* of the attribute */
    CK_ULONG value, other;
    int size; /* of bytes; negative: none at all */
    CK_BYTE bytes[256];
};

/* A session that was opened through the mock. Dead ones are closed as soon as no call is in them. */
struct session {
    struct session *next;
    CK_SESSION_HANDLE handle;
    CK_SLOT_ID slot;
    char label[33];
    int calls, is_dead, is_closed;
};

/* Held by everything that looks at rules and sessions; what SoftHSM itself does is not under it. */
extern pthread_mutex_t mock_lock;
extern struct session *sessions;
extern int is_initialized;

/* The answer that a call gets without SoftHSM, or PASS. Blocks if told to. */
#define PASS ((CK_RV)-1)
CK_RV before(struct call *call);
CK_RV after(struct call *call, CK_RV result);

/* Whether there are rules at all: SoftHSM is slow to tell labels. */
int is_scripted(void);
/* Copies the rule that holds now for a function and counts it; with an attribute, one for its type. */
int take(struct rule *taken, int kinds, enum function function, const char *label, CK_ULONG type);
/* The same without counting; the lock is held. */
struct rule *rule_for(int kinds, enum function function, const char *label, CK_ULONG type);

/* The lock is held. */
struct session *session_of(CK_SESSION_HANDLE handle);
void label_of_slot(CK_SLOT_ID slot, char label[33]);
void end_sessions(const char *label);
/* The lock is not held. */
void label_of_session(CK_SESSION_HANDLE handle, char label[33]);

/* attributes.c: what is done to templates. */
CK_RV own_create_object(CK_SESSION_HANDLE, CK_ATTRIBUTE *, CK_ULONG, CK_OBJECT_HANDLE *);
CK_RV own_copy_object(CK_SESSION_HANDLE, CK_OBJECT_HANDLE, CK_ATTRIBUTE *, CK_ULONG, CK_OBJECT_HANDLE *);
CK_RV own_get_attribute_value(CK_SESSION_HANDLE, CK_OBJECT_HANDLE, CK_ATTRIBUTE *, CK_ULONG);
CK_RV own_set_attribute_value(CK_SESSION_HANDLE, CK_OBJECT_HANDLE, CK_ATTRIBUTE *, CK_ULONG);
CK_RV own_generate_key(CK_SESSION_HANDLE, CK_MECHANISM *, CK_ATTRIBUTE *, CK_ULONG, CK_OBJECT_HANDLE *);
CK_RV own_generate_key_pair(CK_SESSION_HANDLE, CK_MECHANISM *, CK_ATTRIBUTE *, CK_ULONG, CK_ATTRIBUTE *, CK_ULONG,
                            CK_OBJECT_HANDLE *, CK_OBJECT_HANDLE *);
CK_RV own_unwrap_key(CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE, CK_BYTE *, CK_ULONG, CK_ATTRIBUTE *,
                     CK_ULONG, CK_OBJECT_HANDLE *);

/* logins.c: logins that do not end, or not for every key. */
CK_RV own_login(CK_SESSION_HANDLE, CK_USER_TYPE, CK_BYTE *, CK_ULONG);
CK_RV own_init_pin(CK_SESSION_HANDLE, CK_BYTE *, CK_ULONG);
CK_RV own_set_pin(CK_SESSION_HANDLE, CK_BYTE *, CK_ULONG, CK_BYTE *, CK_ULONG);
CK_RV own_logout(CK_SESSION_HANDLE);
CK_RV own_get_session_info(CK_SESSION_HANDLE, CK_SESSION_INFO *);
CK_RV own_find_objects(CK_SESSION_HANDLE, CK_OBJECT_HANDLE *, CK_ULONG, CK_ULONG *);
/* What a key answers that the feigned logout took away; CKR_OK for others. */
CK_RV key_after_logout(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key);
int is_private(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object);
/* Whether the token makes public copies of private keys; is_copy: whether the object is one. */
int makes_public_copies(CK_SESSION_HANDLE session);
void note_public_copy(CK_OBJECT_HANDLE object);
int is_public_copy(CK_OBJECT_HANDLE object);

/* deaths.c */
void die_if_told(enum function function, unsigned long count, int is_after);

/* habits.c: AES-GCM as other modules do it. */
CK_RV own_encrypt_init(CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE);
CK_RV own_decrypt_init(CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE);

#endif
