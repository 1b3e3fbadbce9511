// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

extension KeychainEngine: KeychainAdministration {
    package func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        try unlock(pin, finalTry: finalTry, isBrief: false)
    }
}
