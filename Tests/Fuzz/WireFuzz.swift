// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWire

/// What libFuzzer calls with each input: a frame, whose length field is not believed.
///
/// Whatever decodes has to encode to the bytes that it came from; everything else has to be a `WireError`. A trap, a
/// report of the sanitizer or another encoding ends the run, and libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard count >= FrameHeader.size else { return 0 }
    let frame = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count))
    let body = frame.extracting(droppingFirst: FrameHeader.size)
    let version = unsafe frame.unsafeLoad(fromByteOffset: 4, as: UInt8.self)
    let operation = unsafe frame.unsafeLoad(fromByteOffset: 5, as: UInt8.self)
    let header = FrameHeader(
        length: UInt32(truncatingIfNeeded: body.byteCount), version: version, operation: operation, requestID: 7)
    var again: SecretBytes?
    do {
        if operation < 128 {
            let request = try WireRequest.decode(header, body)
            again = try request.encoded(requestID: 7)
        } else {
            let response = try WireResponse.decode(header, body)
            again = try response.encoded(requestID: 7)
        }
    } catch is WireError {
        // What most inputs are.
        return 0
    } catch {
        fatalError("no secret memory")
    }
    guard let again = again.take() else { return 0 }
    again.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { made in
            unsafe body.withUnsafeBytes { given in
                guard unsafe made.dropFirst(FrameHeader.size).elementsEqual(given) else {
                    fatalError("operation \(operation) decodes, and encodes to other bytes")
                }
            }
        }
    }
    return 0
}
