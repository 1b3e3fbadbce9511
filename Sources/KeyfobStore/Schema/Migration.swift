// SPDX-License-Identifier: Apache-2.0
internal import KeyfobSQLite

/// One step of the schema.
///
/// The list only ever grows: a released step is never changed (docs/store-format.md).
struct Migration: Sendable {
    /// The `user_version` after it.
    let version: Int64
    /// Runs inside one transaction; sets `user_version` itself.
    let script: NamedStatement

    /// `application_id` of the file: the characters "KFOB".
    static let applicationID: Int64 = 0x4B46_4F42

    /// Every step since the first version, in order.
    static let all = [
        Migration(version: 1, script: SchemaStatements.version1),
        Migration(version: 2, script: SchemaStatements.version2),
    ]

    /// The version that this build writes and the newest it reads.
    static let current: Int64 = 2
}
