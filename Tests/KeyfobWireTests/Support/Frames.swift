// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobTestSupport

@testable import KeyfobWire

/// The bytes of a frame.
func bytes(_ request: borrowing WireRequest, requestID: UInt32 = 7) throws -> [UInt8] {
    try request.encoded(requestID: requestID).withBytes { $0.array }
}

/// The bytes of a frame.
func bytes(_ response: borrowing WireResponse, requestID: UInt32 = 7) throws -> [UInt8] {
    try response.encoded(requestID: requestID).withBytes { $0.array }
}

/// The request of a frame whose length is right.
func request(_ frame: [UInt8]) throws(WireError) -> WireRequest {
    let body = try body(frame)
    return unsafe try WireRequest.decode(FrameHeader(decoding: frame.span.bytes), body.span.bytes)
}

/// The answer of a frame whose length is right.
func response(_ frame: [UInt8]) throws(WireError) -> WireResponse {
    let body = try body(frame)
    return unsafe try WireResponse.decode(FrameHeader(decoding: frame.span.bytes), body.span.bytes)
}

/// Decodes a frame, whichever it is, and encodes what came out.
func again(_ frame: [UInt8]) throws -> [UInt8] {
    let header = unsafe try FrameHeader(decoding: frame.span.bytes)
    guard header.operation < 128 else { return try bytes(response(frame), requestID: header.requestID) }
    return try bytes(request(frame), requestID: header.requestID)
}

/// What follows the header, if it is as long as the header says.
private func body(_ frame: [UInt8]) throws(WireError) -> [UInt8] {
    let header = unsafe try FrameHeader(decoding: frame.span.bytes)
    let body = Array(frame.dropFirst(FrameHeader.size))
    guard body.count >= header.length else { throw WireError(at: body.count, .truncated) }
    guard body.count == header.length else { throw WireError(at: Int(header.length), .trailingBytes) }
    return body
}

/// A frame of parts that need not make sense.
func frame(_ operation: WireOperation, version: UInt8 = 1, _ body: [UInt8]) -> [UInt8] {
    FrameHeader(
        length: UInt32(body.count), version: version, operation: operation.rawValue, requestID: 7
    ).encoded + body
}

/// A field: tag, length, bytes.
func field(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] { [tag] + number(UInt32(bytes.count)) + bytes }

/// Four bytes, big-endian.
func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

/// Eight bytes, big-endian.
func number(_ value: UInt64) -> [UInt8] { number(UInt32(value >> 32)) + number(UInt32(truncatingIfNeeded: value)) }
