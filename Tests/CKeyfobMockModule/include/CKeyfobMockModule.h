/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CKEYFOB_MOCK_MODULE_H
#define CKEYFOB_MOCK_MODULE_H

/* A PKCS #11 module for tests: SoftHSM with the faults and habits of other modules.

   Habits are chosen by a word in the token's label:

     own-iv       takes only an IV of zeros for AES-GCM, draws one itself and writes it into the buffer
     silent-iv    the same, but does not write it into the buffer
     writes-iv    draws an IV itself whatever it is given, and writes it into the buffer
     five-fields  reads CK_GCM_PARAMS without ulIvBits and refuses the other shape

   If KEYFOB_MOCK_KILL is FUNCTION:N or FUNCTION:N:after, the N-th call of that function kills the process, before or after
   the token did it. So does "mock:kill=" and the same as the text that C_Initialize gets in pReserved.

   Faults are scripted, within the process by `mock_script`, from outside by the file that KEYFOB_MOCK_SCRIPT names. The
   file is looked at before each call; when it has changed, what the last one said is reset and the new one done: write
   it whole and move it into place. A command a line:

     token [LABEL]        the commands below are for the token of that label; without one for all again
     answer FUNCTION CKR [after=N] [times=K]
                          calls return CKR and do not reach SoftHSM
     sleep FUNCTION MILLISECONDS [after=N] [times=K]
     hang FUNCTION [after=N] [times=K]
                          calls hang until `release` or a reset, then go on
     release              lets those that hang go
     length FUNCTION LENGTH|given [after=N] [times=K]
                          calls that succeed answer that length, or leave the one that they were given
     remove [CKR]         the token is gone, its sessions and login with it: calls on a session return CKR
                          (CKR_DEVICE_REMOVED), those on its slot CKR_TOKEN_NOT_PRESENT
     insert               it is back
     move N               it is in the slot whose number is N higher
     show-label TEXT      it calls itself otherwise: another token
     show-serial TEXT
     fail-over            its sessions and its login are gone, once
     finalize             somebody has finalised the module: until C_Initialize, calls return
                          CKR_CRYPTOKI_NOT_INITIALIZED
     flags SET CLEAR      C_GetTokenInfo says these flags and does not say those
     pin-length SHORTEST LONGEST
                          the same for PINs
     device-pin PIN       what a person enters on the device at a C_Login without a PIN, and as the old one at a C_SetPIN
     device-so-pin PIN    the same for the security officer
     device-new-pin PIN   the same at a C_InitPIN or C_SetPIN without PINs; from then on it is the device-pin
     strip TYPE           the attribute is overlooked in templates
     read TYPE HEX|- [after=N] [times=K]
                          the attribute reads so, whatever it is; "-": there is none
     refuse FUNCTION TYPE HEX|- CKR [after=N] [times=K]
                          calls return CKR if the attribute is so in their template, "-": if it is there
     keep-login [hidden|copies]
                          C_Logout succeeds, and keys stay usable: all, those too that a search no longer finds, or only
                          copies, which may be public then
     log FILE             appends the name of each call

   FUNCTION is a C name, or * for any. Numbers are decimal, or hexadecimal after 0x. Of the rules of one kind about the
   same calls the first counts: N calls pass, K are struck (one unless told, 0 for ever), then it is the turn of the
   next. `answer`, `sleep` and `hang` are one kind. `strip`, `read` and `refuse` are for ever unless told.

   Each copy of the library has a script, counts and an initialisation of its own. */

/* Adds commands. Returns 0, or the number of the first line that is none; those before it are done. */
int mock_script(const char *commands);

/* Takes back all commands but `fail-over`, `finalize` and `log`, and lets go what hangs. Counts stay. */
void mock_reset(void);

/* How often a function was called. */
unsigned long mock_calls(const char *name);

/* The text that C_Initialize got last in pReserved, or "". One that does not begin with "mock:" is refused with
   CKR_ARGUMENTS_BAD. */
const char *mock_parameters(void);

/* Blocks until so many calls hang; 0 if they do not within that time. */
int mock_wait_for_hang(unsigned count, unsigned seconds);

#endif
