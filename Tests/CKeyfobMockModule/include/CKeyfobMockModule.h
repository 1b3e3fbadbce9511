/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CKEYFOB_MOCK_MODULE_H
#define CKEYFOB_MOCK_MODULE_H

/* A PKCS #11 module for tests: SoftHSM with the habits of other modules, chosen by a word in the token's label.

     own-iv       takes only an IV of zeros for AES-GCM, draws one itself and writes it into the buffer
     writes-iv    draws an IV itself whatever it is given, and writes it into the buffer
     five-fields  reads CK_GCM_PARAMS without ulIvBits and refuses the other shape

     flags        has the flags that the file LABEL.flags of TMPDIR (/tmp) says: two hexadecimal numbers, those that are
                  set besides its own and those that are not

   If KEYFOB_MOCK_KILL is FUNCTION:N or FUNCTION:N:after, the N-th call of C_Login, C_Logout, C_InitPIN, C_DestroyObject or
   C_GenerateKey kills the process, before or after the token did it.

   If KEYFOB_MOCK_HANG names a FIFO, the next C_Decrypt takes it away (it is renamed to NAME.taken) and hangs until somebody
   opens that for writing; each FIFO hangs one call.

   Its one entry is C_GetFunctionList of the standard. */

#endif
