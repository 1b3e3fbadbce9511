// SPDX-License-Identifier: Apache-2.0
import Testing

/// What a token of each kind does when it is used through `KeyfobPKCS11`.
///
/// The suites in it run one after the other, for the login of a token is one for the whole process. Each test takes the
/// token logged out and leaves it so.
@Suite(.serialized) struct TokenContract {}
