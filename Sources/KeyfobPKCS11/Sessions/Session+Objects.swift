// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

// Object management: PKCS #11 v3.1 §5.7.

extension Session {
    /// The objects that have all attributes of `template`, at most `limit`, in the token's order.
    ///
    /// A token whose storage cannot be read may find nothing without an error.
    package func find(_ template: Template, limit: Int = 16) throws(PKCS11Error) -> [ObjectHandle] {
        try unsafe box.check(.findObjectsInit) { list in
            unsafe template.withAttributes { unsafe list.pointee.C_FindObjectsInit?(box.handle, $0, $1) }
        }
        var handles: [UInt] = []
        let fault = collect(&handles, limit: limit)
        let final = unsafe box.call(.findObjectsFinal) { unsafe $0.pointee.C_FindObjectsFinal?(box.handle) }
        if let fault { throw fault }
        guard final == .ok else { throw box.line.error(.findObjectsFinal, final) }
        return handles.map { box.object($0) }
    }

    /// The one object that has all attributes of `template`; nil if there is none.
    ///
    /// - Throws: also `.malformed` if there are several: labels and IDs need not be unique, and guessing is wrong.
    package func findOne(_ template: Template) throws(PKCS11Error) -> ObjectHandle? {
        let found = try find(template, limit: 2)
        guard found.count < 2 else { throw box.line.error(.malformed("two objects where one was expected")) }
        return found.first
    }

    /// Makes an object of plain attributes (`C_CreateObject`).
    package func createObject(_ template: Template) throws(PKCS11Error) -> ObjectHandle {
        var handle: UInt = 0
        try unsafe box.check(.createObject) { list in
            unsafe template.withAttributes { unsafe list.pointee.C_CreateObject?(box.handle, $0, $1, &handle) }
        }
        return box.object(handle)
    }

    /// Makes a copy that differs by the attributes of `template` (`C_CopyObject`).
    package func copyObject(_ object: ObjectHandle, _ template: Template) throws(PKCS11Error) -> ObjectHandle {
        var handle: UInt = 0
        try unsafe box.check(.copyObject) { list in
            unsafe template.withAttributes {
                unsafe list.pointee.C_CopyObject?(box.handle, box.number(of: object), $0, $1, &handle)
            }
        }
        return box.object(handle)
    }

    /// Destroys an object (`C_DestroyObject`).
    package func destroyObject(_ object: ObjectHandle) throws(PKCS11Error) {
        try unsafe box.check(.destroyObject) { unsafe $0.pointee.C_DestroyObject?(box.handle, box.number(of: object)) }
    }

    private func collect(_ handles: inout [UInt], limit: Int) -> PKCS11Error? {
        var page = [UInt](repeating: 0, count: 16)
        while handles.count < limit {
            var count: UInt = 0
            let wanted = UInt(min(page.count, limit - handles.count))
            let value = unsafe box.call(.findObjects) {
                unsafe $0.pointee.C_FindObjects?(box.handle, &page, wanted, &count)
            }
            guard value == .ok else { return box.line.error(.findObjects, value) }
            guard count <= wanted else { return box.line.error(.malformed("C_FindObjects counts beyond its buffer")) }
            if count == 0 { return nil }
            handles.append(contentsOf: page[..<Int(count)])
        }
        return nil
    }
}
