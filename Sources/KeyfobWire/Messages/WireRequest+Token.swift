// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

extension WireRequest {
    /// Whether an answer to the frame may have to wait for the token: for values, seals, and what the token says of itself.
    ///
    /// Searches for attributes do not, nor does what only the owner may do to the token's login, which must not queue behind
    /// what waits for the token. Looks at as little as will do; what is no request of this version waits for nothing.
    ///
    /// - Parameters:
    ///   - header: The frame's header.
    ///   - body: What follows the header.
    package static func waitsForToken(_ header: FrameHeader, _ body: RawSpan) -> Bool {
        switch WireOperation(rawValue: header.operation) {
        case .add, .update, .status, .verify, .metrics, .verifyAudit, .moveAccessGroup: true
        case .copyMatching: MatchRequest.waitsForToken(body)
        case .delete, .isEntitled, .daemonStatus, .unlock, .lock, .accessGroups, .audit, .changePIN, .unblock: false
        case .failure, .done, .items, .flag, .count, .text, .progress, .keychainStatus, .daemonReport, .groups,
            .verification, .auditRecords, .auditVerification, nil:
            false
        }
    }
}

extension MatchRequest {
    /// Values are the token's to open, and so is what a PIN or a password comes with.
    fileprivate static func waitsForToken(_ body: RawSpan) -> Bool {
        var cursor = WireCursor(body)
        do throws(WireError) {
            while let field = try cursor.field(body) {
                switch field.tag {
                case Tag.returns where try ReturnFlags(body, field.range).contains(.data): return true
                case Tag.pin, Tag.applicationPassword: return true
                default: break
                }
            }
        } catch {
            // Decoding says what is wrong with it.
        }
        return false
    }
}
