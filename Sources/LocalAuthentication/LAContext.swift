// SPDX-License-Identifier: Apache-2.0
@_exported public import Foundation
package import KeyfobMemory
@_exported public import Security
internal import Synchronization

/// How a program wants its user to be asked (LAContext.h): an item query takes one under `kSecUseAuthenticationContext`.
///
/// This machine has no biometry, and the token asks for its PIN at an item and not before, so no policy can be evaluated.
/// What works: `interactionNotAllowed`, which the SecItem calls honour, and credentials, which stay in locked memory until
/// `invalidate()` or the end of the context, and are wiped then: the PIN (`.smartCardPIN`) and the password
/// (`.applicationPassword`) that items need whose access control asks for them. Each call sends the PIN to the token once
/// for each such item.
///
/// May be used by several threads; a subclass that adds state answers for that state.
open class LAContext: NSObject, AuthenticationContext {
    struct State: ~Copyable {
        var isValid = true
        var credentials = CredentialDrawer()
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var reason = ""
        var fallbackTitle: String?
        var cancelTitle: String?
    }

    let state = Mutex(State())

    /// A context without credentials that allows interaction.
    public override init() {
        super.init()
    }

    /// Whether an item that needs a person fails (`errSecInteractionNotAllowed`) instead of asking; false at first.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// Why the person is asked, empty at first: shown where an item needs a PIN or a password and the context has none.
    open var localizedReason: String {
        get { state.withLock { $0.reason } }
        set { state.withLock { $0.reason = newValue } }
    }

    /// The title of the button that asks for the passcode instead; kept, without effect.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.fallbackTitle } }
        set { state.withLock { $0.fallbackTitle = newValue } }
    }

    /// The title of the button that cancels; kept, without effect.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.cancelTitle } }
        set { state.withLock { $0.cancelTitle = newValue } }
    }

    /// For how many seconds an unlock by biometry counts, 0 at first; kept, without effect.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The biometry of this machine: none.
    open var biometryType: LABiometryType { .none }

    /// A fingerprint of the enrolled biometry: nil, for there is none.
    open var evaluatedPolicyDomainState: Data? { nil }

    // MARK: - Policies

    /// Whether the policy could be evaluated now: never, here.
    ///
    /// - Parameter error: takes an `LAError` of domain `LAErrorDomain`: `biometryNotAvailable`,
    ///   `companionNotAvailable`, `notInteractive` for the passcode, which is asked for at an item and not before, or `invalidContext`.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool {
        if let error = unsafe error { unsafe error.pointee = LAError(obstacle(to: policy))._nsError }
        return false
    }

    /// Asks a person: fails at once with what `canEvaluatePolicy` answers.
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        throw LAError(obstacle(to: policy))
    }

    /// Asks a person: `reply` gets false and what `canEvaluatePolicy` answers, on a thread of its own.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let error = LAError(obstacle(to: policy))
        Thread.detachNewThread { reply(false, error) }
    }

    /// Asks a person for what an access control object wants: true if it wants nothing, else it fails as
    /// `evaluatePolicy` does.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        if let code = obstacle(to: accessControl) { throw LAError(code) }
        return true
    }

    /// Asks a person for what an access control object wants: `reply` gets true if it wants nothing, else false and an
    /// error, on a thread of its own.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let error = obstacle(to: accessControl).map { LAError($0) }
        Thread.detachNewThread { reply(error == nil, error) }
    }

    // MARK: - Credentials

    /// Gives the context a credential, or takes it back with nil.
    ///
    /// The bytes are copied into locked memory; `credential` stays the caller's, who still has to forget it. Whether it
    /// is the right one shows at its use.
    ///
    /// - Returns: False, and nothing changes, if the context was invalidated or there is no locked memory left.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        do {
            guard let credential else { return put(nil, type) }
            return try put(SecretBytes(credential), type)
        } catch {
            // Apple's function has one way to say that it kept nothing.
            return false
        }
    }

    /// Whether the context has a credential of that type.
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        state.withLock { $0.credentials.has(type) }
    }

    /// A second owner of a credential, for the call that needs it; nil if there is none.
    ///
    /// - Throws: `SecretMemoryError` if there is no locked memory for it.
    package func copyCredential(_ type: LACredentialType) throws(SecretMemoryError) -> SecretBytes? {
        try state.withLock { (state) throws(SecretMemoryError) in try state.credentials.copy(type) }
    }

    /// The PIN for the calls that take this context.
    package func copyPIN() throws(SecretMemoryError) -> SecretBytes? { try copyCredential(.smartCardPIN) }

    /// The application password for the calls that take this context.
    package func copyApplicationPassword() throws(SecretMemoryError) -> SecretBytes? {
        try copyCredential(.applicationPassword)
    }

    /// Ends the context: credentials are wiped, and every evaluation answers `invalidContext` from now on.
    open func invalidate() {
        state.withLock {
            $0.isValid = false
            $0.credentials = CredentialDrawer()
        }
    }
}

/// The longest time in seconds for which `touchIDAuthenticationAllowableReuseDuration` counts on Apple platforms.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
