/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CKEYFOB_MOCK_MODULE_H
#define CKEYFOB_MOCK_MODULE_H

/* A PKCS #11 module for tests: SoftHSM with the habits of other modules, chosen by a word in the token's label.

     own-iv       takes only an IV of zeros for AES-GCM, draws one itself and writes it into the buffer
     writes-iv    draws an IV itself whatever it is given, and writes it into the buffer
     five-fields  reads CK_GCM_PARAMS without ulIvBits and refuses the other shape
     no-presence  takes CKA_ALWAYS_AUTHENTICATE, says that it has it, and never asks for the PIN
     final-try    says that one try is left once a PIN before a use was wrong, on any token
     pin-pad      has a protected authentication path; the person types the PIN of the thread's last login

   If KEYFOB_MOCK_HANG names a FIFO, the next C_Decrypt takes it away (it is renamed to NAME.taken) and hangs until somebody
   opens that for writing; each FIFO hangs one call.

   Its one entry is C_GetFunctionList of the standard. */

#endif
