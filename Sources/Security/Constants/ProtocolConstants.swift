// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): values of the protocol and authentication type attributes.
public import Foundation

/// A value of `kSecAttrProtocol`: `ftp␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = "ftp "

/// A value of `kSecAttrProtocol`: `ftpa`.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = "ftpa"

/// A value of `kSecAttrProtocol`: `http`.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http"

/// A value of `kSecAttrProtocol`: `irc␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = "irc "

/// A value of `kSecAttrProtocol`: `nntp`.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = "nntp"

/// A value of `kSecAttrProtocol`: `pop3`.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = "pop3"

/// A value of `kSecAttrProtocol`: `smtp`.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = "smtp"

/// A value of `kSecAttrProtocol`: `sox␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = "sox "

/// A value of `kSecAttrProtocol`: `imap`.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = "imap"

/// A value of `kSecAttrProtocol`: `ldap`.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = "ldap"

/// A value of `kSecAttrProtocol`: `atlk`.
@safe nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = "atlk"

/// A value of `kSecAttrProtocol`: `afp␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = "afp "

/// A value of `kSecAttrProtocol`: `teln`.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = "teln"

/// A value of `kSecAttrProtocol`: `ssh␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = "ssh "

/// A value of `kSecAttrProtocol`: `ftps`.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = "ftps"

/// A value of `kSecAttrProtocol`: `htps`.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps"

/// A value of `kSecAttrProtocol`: `htpx`.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = "htpx"

/// A value of `kSecAttrProtocol`: `htsx`.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = "htsx"

/// A value of `kSecAttrProtocol`: `ftpx`.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = "ftpx"

/// A value of `kSecAttrProtocol`: `smb␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = "smb "

/// A value of `kSecAttrProtocol`: `rtsp`.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = "rtsp"

/// A value of `kSecAttrProtocol`: `rtsx`.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = "rtsx"

/// A value of `kSecAttrProtocol`: `daap`.
@safe nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = "daap"

/// A value of `kSecAttrProtocol`: `eppc`.
@safe nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = "eppc"

/// A value of `kSecAttrProtocol`: `ipp␣`.
@safe nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = "ipp "

/// A value of `kSecAttrProtocol`: `ntps`.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = "ntps"

/// A value of `kSecAttrProtocol`: `ldps`.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = "ldps"

/// A value of `kSecAttrProtocol`: `tels`.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = "tels"

/// A value of `kSecAttrProtocol`: `imps`.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = "imps"

/// A value of `kSecAttrProtocol`: `ircs`.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = "ircs"

/// A value of `kSecAttrProtocol`: `pops`.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = "pops"

/// A value of `kSecAttrAuthenticationType`: `ntlm`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"

/// A value of `kSecAttrAuthenticationType`: `msna`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = "msna"

/// A value of `kSecAttrAuthenticationType`: `dpaa`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"

/// A value of `kSecAttrAuthenticationType`: `rpaa`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"

/// A value of `kSecAttrAuthenticationType`: `http`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"

/// A value of `kSecAttrAuthenticationType`: `httd`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"

/// A value of `kSecAttrAuthenticationType`: `form`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"

/// A value of `kSecAttrAuthenticationType`: `dflt`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
