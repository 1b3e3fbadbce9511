// SPDX-License-Identifier: Apache-2.0

/// What a frame asks for, or what kind of answer it is: the sixth byte of its header (docs/wire.md).
package enum WireOperation: UInt8, CaseIterable, Sendable {
    // Requests
    case add = 1
    case copyMatching = 2
    case update = 3
    case delete = 4
    case isEntitled = 5
    case status = 16
    case daemonStatus = 17
    case unlock = 18
    case lock = 19
    case accessGroups = 20
    case moveAccessGroup = 21
    case verify = 22
    case metrics = 23
    case audit = 24
    case verifyAudit = 25
    case changePIN = 32
    case unblock = 33

    // Answers
    case failure = 128
    case done = 129
    case items = 130
    case flag = 131
    case count = 132
    case text = 133
    case progress = 134
    case keychainStatus = 144
    case daemonReport = 145
    case groups = 146
    case verification = 147
    case auditRecords = 148
    case auditVerification = 149

    /// Whether a program sends it, rather than the daemon.
    package var isRequest: Bool { rawValue < 128 }
}
