// SPDX-License-Identifier: Apache-2.0

/// The biometry of a machine (LABiometryType.h); here always `none`.
public enum LABiometryType: Int, Sendable {
    /// There is none.
    case none = 0
    /// Fingerprints.
    case touchID = 1
    /// Faces.
    case faceID = 2
    /// Irises.
    case opticID = 4

    /// The older name of `none`.
    public static let LABiometryNone = none
}
