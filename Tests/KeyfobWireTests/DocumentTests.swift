// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobWire

/// docs/wire.md against the code.
struct DocumentTests {
    private static let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/docs/wire.md"

    /// The first two cells of each row of the table below a heading, but for the head.
    private func rows(_ heading: String) throws -> [[String]] {
        let lines = try String(contentsOfFile: Self.path, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.drop { $0 == "#" } == " " + heading }, "\(heading)")
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("|") }
        return section.dropFirst(2).map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(2)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func expect<Number: BinaryInteger>(_ heading: String, _ code: KeyValuePairs<String, Number>) throws {
        #expect(try rows(heading) == code.map { ["\($0.value)", $0.key] }, "\(heading)")
    }

    /// The tags of a body, or of a part of it.
    private func tags(_ bytes: some Sequence<UInt8>) throws -> [String] {
        let bytes = Array(bytes)
        var cursor = WireCursor(0..<bytes.count)
        var tags: [String] = []
        while let field = unsafe try cursor.field(bytes.span.bytes) { tags.append("\(field.tag)") }
        return tags
    }

    @Test func `The document has every operation and its number`() throws {
        let documented = try rows("Requests") + rows("Answers")
        #expect(documented == WireOperation.allCases.map { ["\($0.rawValue)", "\($0)"] })
    }

    @Test func `The document has every cap`() throws {
        let caps: KeyValuePairs = [
            "bodySize": WireLimits.bodySize, "valueSize": WireLimits.valueSize, "pinSize": WireLimits.pinSize,
            "attributes": WireLimits.attributes, "auditRecords": WireLimits.auditRecords,
            "textFilters": WireLimits.textFilters, "textSize": WireLimits.textSize,
        ]
        #expect(try rows("Caps") == caps.map { [$0.key, "\($0.value)"] })
    }

    @Test func `The document has the tags of item requests`() throws {
        try expect(
            "Fields of add",
            [
                "itemClass": AddRequest.Tag.itemClass, "attributes": AddRequest.Tag.attributes,
                "accessGroup": AddRequest.Tag.accessGroup, "synchronizable": AddRequest.Tag.synchronizable,
                "accessibility": AddRequest.Tag.accessibility, "accessControl": AddRequest.Tag.accessControl,
                "value": AddRequest.Tag.value, "returns": AddRequest.Tag.returns,
                "authenticationUI": AddRequest.Tag.authenticationUI, "pin": AddRequest.Tag.pin,
                "applicationPassword": AddRequest.Tag.applicationPassword,
            ])
        try expect(
            "Fields of copyMatching",
            [
                "query": MatchRequest.Tag.query, "limit": MatchRequest.Tag.limit, "returns": MatchRequest.Tag.returns,
                "authenticationUI": MatchRequest.Tag.authenticationUI, "pin": MatchRequest.Tag.pin,
                "applicationPassword": MatchRequest.Tag.applicationPassword,
            ])
        try expect(
            "Fields of update",
            [
                "query": UpdateRequest.Tag.query, "changes": UpdateRequest.Tag.changes,
                "accessGroup": UpdateRequest.Tag.accessGroup, "synchronizable": UpdateRequest.Tag.synchronizable,
                "accessibility": UpdateRequest.Tag.accessibility, "accessControl": UpdateRequest.Tag.accessControl,
                "value": UpdateRequest.Tag.value, "authenticationUI": UpdateRequest.Tag.authenticationUI,
                "pin": UpdateRequest.Tag.pin, "applicationPassword": UpdateRequest.Tag.applicationPassword,
            ])
        try expect("Fields of delete", ["query": DeleteRequest.Tag.query])
        try expect(
            "Fields of a query",
            [
                "itemClass": ItemQuery.Tag.itemClass, "attributes": ItemQuery.Tag.attributes,
                "accessGroup": ItemQuery.Tag.accessGroup, "synchronizable": ItemQuery.Tag.synchronizable,
                "accessibility": ItemQuery.Tag.accessibility, "persistentReference": ItemQuery.Tag.persistentReference,
                "hostOrSubdomain": ItemQuery.Tag.hostOrSubdomain, "textFilters": ItemQuery.Tag.textFilters,
            ])
    }

    @Test func `The document has the tags of other requests`() throws {
        try expect(
            "Fields of isEntitled", ["group": WireRequest.Tag.group, "forWriting": WireRequest.Tag.forWriting])
        try expect("Fields of unlock", ["pin": UnlockRequest.Tag.pin, "finalTry": UnlockRequest.Tag.finalTry])
        try expect(
            "Fields of changePIN",
            [
                "pin": ChangePINRequest.Tag.pin, "newPIN": ChangePINRequest.Tag.newPIN,
                "finalTry": ChangePINRequest.Tag.finalTry,
            ])
        try expect(
            "Fields of unblock",
            [
                "securityOfficerPIN": UnblockRequest.Tag.securityOfficerPIN, "newPIN": UnblockRequest.Tag.newPIN,
                "items": UnblockRequest.Tag.items, "finalTry": UnblockRequest.Tag.finalTry,
            ])
        try expect(
            "Fields of moveAccessGroup", ["group": WireRequest.Tag.group, "newGroup": WireRequest.Tag.newGroup])
    }

    @Test func `The document has the tags of the audit log`() throws {
        typealias Query = AuditQuery.Tag
        try expect(
            "Fields of audit",
            [
                "since": Query.since, "itemName": Query.itemName, "itemAccount": Query.itemAccount,
                "caller": Query.caller, "after": Query.after, "limit": Query.limit,
            ])
        typealias Record = AuditRecord.Tag
        try expect(
            "Fields of an audit record",
            [
                "sequence": Record.sequence, "time": Record.time, "event": Record.event, "items": Record.items,
                "groups": Record.groups, "note": Record.note,
            ])
        typealias Event = AccessEvent.Tag
        try expect(
            "Fields of an access",
            [
                "action": Event.action, "caller": Event.caller, "itemClass": Event.itemClass,
                "nameDigest": Event.nameDigest, "accountDigest": Event.accountDigest, "scopes": Event.scopes,
                "items": Event.items, "itemCount": Event.itemCount, "givesValue": Event.givesValue,
                "result": Event.result, "microseconds": Event.microseconds,
                "lockReason": Event.lockReason,
            ])
        typealias Asked = Caller.Tag
        try expect(
            "Fields of a caller",
            [
                "uid": Asked.uid, "gid": Asked.gid, "groups": Asked.groups, "pid": Asked.pid,
                "startTime": Asked.startTime, "executable": Asked.executable, "unit": Asked.unit,
            ])
    }

    @Test func `The document has the tags of answers`() throws {
        typealias Failure = KeychainError.Tag
        try expect(
            "Fields of failure",
            [
                "code": Failure.code, "operation": Failure.operation, "subject": Failure.subject,
                "cause": Failure.cause, "remedy": Failure.remedy,
            ])
        try expect(
            "Fields of items",
            [
                "items": MatchResult.Tag.items, "values": MatchResult.Tag.values, "leftOut": MatchResult.Tag.leftOut,
            ])
        try expect(
            "Fields of an item",
            [
                "itemClass": ItemResult.Tag.itemClass, "attributes": ItemResult.Tag.attributes,
                "accessControl": ItemResult.Tag.accessControl,
                "persistentReference": ItemResult.Tag.persistentReference, "valueStart": ItemResult.Tag.valueStart,
                "valueEnd": ItemResult.Tag.valueEnd,
            ])
        try expect("Fields of progress", ["value": WireResponse.Tag.value, "total": WireResponse.Tag.total])
        typealias Status = KeychainStatus.Tag
        try expect(
            "Fields of keychainStatus",
            [
                "home": Status.home, "keychain": Status.keychain, "lockState": Status.lockState, "token": Status.token,
                "tokenURI": Status.tokenURI, "triesLeft": Status.triesLeft, "isSoftwareToken": Status.isSoftwareToken,
                "pinSource": Status.pinSource, "pinentry": Status.pinentry, "keys": Status.keys,
                "items": Status.items, "process": Status.process,
                "lastLock": Status.lastLock, "triggers": Status.triggers, "absence": Status.absence,
                "presence": Status.presence, "hasPINPad": Status.hasPINPad,
                "isModuleIsolated": Status.isModuleIsolated, "itemKeyCache": Status.itemKeyCache,
                "lacksUserPIN": Status.lacksUserPIN,
            ])
    }

    /// The samples have every optional field, so a field that the document lacks shows here.
    @Test(
        arguments: [
            "add-credentials": "add", "copy-matching-credentials": "copyMatching", "update-credentials": "update",
            "delete": "delete",
            "is-entitled": "isEntitled", "unlock": "unlock", "move-access-group": "moveAccessGroup",
            "audit": "audit", "change-pin": "changePIN", "unblock": "unblock",
            "failure-cause": "failure", "items-left-out": "items", "progress": "progress",
            "keychain-status-all": "keychainStatus",
        ])
    func `The document has every field of a frame`(_ sample: String, _ message: String) throws {
        let frame = try #require(try Samples.frame(sample))
        #expect(try tags(frame.dropFirst(FrameHeader.size)) == rows("Fields of \(message)").map { $0[0] })
    }

    @Test func `The document has every field of a query and of an item`() throws {
        let delete = try #require(try Samples.frame("delete"))
        #expect(try tags(delete.dropFirst(FrameHeader.size + 5)) == rows("Fields of a query").map { $0[0] })
        let items = try #require(try Samples.frame("items")).dropFirst(FrameHeader.size + 5)
        let length = items.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        #expect(try tags(items.dropFirst(4).prefix(length)) == rows("Fields of an item").map { $0[0] })
    }

    /// The kind that stands first in the last field of a failure, and the name of the case.
    private func kind(_ error: KeychainError, _ part: Any) throws -> [String] {
        let frame = try bytes(.failure(error))
        // After the header, the code and the operation, and a tag and a length.
        return ["\(frame[FrameHeader.size + 9 + 6 + 5])", String("\(part)".prefix { $0 != "(" })]
    }

    @Test func `The document has every kind of subject, cause and remedy`() throws {
        var random = SeededRandom.fresh()
        #expect(
            try rows("Kinds of subject")
                == random.subjects().map { try kind(KeychainError(.busy, .serve, subject: $0), $0) })
        #expect(
            try rows("Kinds of cause") == random.causes().map { try kind(KeychainError(.busy, .serve, cause: $0), $0) })
        #expect(
            try rows("Kinds of remedy")
                == random.remedies().map { try kind(KeychainError(.busy, .serve, remedy: $0), $0) })
    }
}
