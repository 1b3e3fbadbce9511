// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// The files of the log as they are at one moment: lines that come later, and a file that is begun later, are not in it.
struct AuditSnapshot: ~Copyable {
    let files: AuditFiles
    /// In the order of their lines.
    let names: [String]
    /// The current file, which may get another name meanwhile; nil: there is none.
    private let current: Descriptor?
    private let currentSize: Int

    /// - Throws: the faults of the folder; no folder is a log without files.
    init(_ files: AuditFiles) throws(PosixError) {
        let current = try files.open(AuditFiles.current)
        let size = try current?.status().size ?? 0
        let names = try files.names()
        self.files = files
        self.names = names
        self.current = current
        currentSize = size
    }

    /// Reads a file from a line on, or from its beginning if that lies later.
    ///
    /// - Returns: nil if the file is gone.
    func reader(_ name: String, from sequence: UInt64 = 0) throws(PosixError) -> AuditFileReader? {
        guard let file = try file(name) else { return nil }
        let start = sequence > 1 ? try AuditSearch.offset(of: sequence, in: file) ?? 0 : 0
        return try AuditFileReader(file, from: start, to: name == AuditFiles.current ? currentSize : nil)
    }

    /// Bytes of all files together.
    func size() throws(PosixError) -> Int {
        var size = 0
        for name in names { size += try reader(name)?.end ?? 0 }
        return size
    }

    private func file(_ name: String) throws(PosixError) -> Descriptor? {
        guard name == AuditFiles.current else { return try files.open(name) }
        switch current {
        case .some(let file): return try file.duplicate()
        case .none: return nil
        }
    }
}
