// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

/// The error of every function of this target: which call returned what, on which token.
///
/// Never holds a PIN or key bytes.
package struct PKCS11Error: Error, Hashable, Sendable {
    /// What went wrong.
    package enum Fault: Hashable, Sendable {
        /// A Cryptoki function returned something else than `CKR_OK`.
        case returned(function: String, ReturnValue)
        /// No token fits the URI; `failedModules` are registered modules that could not be asked.
        case tokenNotFound(uri: String, failedModules: [String])
        /// More than one token fits the URI.
        case ambiguous([TokenIdentity])
        /// Another token is where the wanted one was.
        case replaced(by: TokenIdentity)
        /// The library cannot be loaded or is no PKCS #11 module.
        case moduleNotLoadable(path: String, message: String)
        /// No module of that name is registered with p11-kit.
        case moduleNotRegistered(name: String)
        /// The module was given parameters, and `C_Initialize` returned something else than `CKR_OK`.
        case moduleParametersRefused(path: String, ReturnValue)
        /// The module is in use in this process, and was initialised with other parameters.
        case moduleInUse(path: String)
        /// No process can be had for a module; says why.
        case isolationUnavailable(String)
        /// `C_Initialize` of a module in a process of its own returned something else than `CKR_OK`.
        case isolatedModuleFailed(path: String, ReturnValue)
        /// The text is no RFC 7512 URI of a token.
        case invalidURI(URIFault)
        /// The PIN was kept from the token.
        case pinNotTried(PINRefusal)
        /// Secret memory could not be had.
        case memory(SecretMemoryError)
        /// No session became free before the deadline.
        case timedOut
        /// The security officer is at work on the token: it opens no other session meanwhile.
        case reserved
        /// The token answered with something that cannot be true; says what, without data.
        case malformed(String)
    }

    /// Why a text is no URI of a token.
    package enum URIFault: Hashable, Sendable {
        case scheme
        case encoding
        case syntax
        case version
        /// An attribute that RFC 7512 does not define: a URI with one matches nothing.
        case unknownAttribute
        /// `slot-id` and the like: slots are renumbered, tokens are named.
        case slotAttribute
        /// Holds a NUL.
        case notText
        /// Names no `module-path`, which parameters of a module need.
        case noModulePath
    }

    /// Why a PIN was not given to the token.
    package enum PINRefusal: Hashable, Sendable {
        /// Shorter or longer, in bytes, than the token says it takes.
        case length(minimum: Int, maximum: Int)
        /// The token says that the PIN is locked.
        case locked
        /// One try is left, and the caller did not agree to spend it.
        case finalTry
        /// Holds a NUL: some tokens would read it up to there only.
        case zeroByte
    }

    package let fault: Fault
    /// The token that was asked, where one was known.
    package let token: TokenIdentity?

    package init(_ fault: Fault, token: TokenIdentity? = nil) {
        self.fault = fault
        self.token = token
    }

    package init(function: String, returnValue: ReturnValue, token: TokenIdentity? = nil) {
        self.init(.returned(function: function, returnValue), token: token)
    }

    /// The C name of the function that failed, if one did.
    package var function: String? {
        guard case .returned(let function, _) = fault else { return nil }
        return function
    }

    /// What the function returned, if one failed.
    package var returnValue: ReturnValue? {
        guard case .returned(_, let value) = fault else { return nil }
        return value
    }
}
