// SPDX-License-Identifier: Apache-2.0

/// What `keyfobd --help` says.
package enum DaemonHelp {
    package static let text = """
        Usage: keyfobd [--user | --system] [OPTION...]

        Serves one keychain to many programs over a Unix socket, in the foreground.

          --user               the keychain of this user (the default); socket in $XDG_RUNTIME_DIR/keyfob
          --system             the keychain of the machine: /var/lib/keyfob, socket in /run/keyfob
          --home FOLDER        another keychain
          --socket PATH        another socket
          --pin-source SOURCE  unlock at the start with the PIN from there: a file, credential:NAME, or - for
                               standard input; keyfobd asks nobody
          --idle TIME          lock the keychain when nobody has used it for so long: 1s to 7d, or never
          --stop-with-fd N     stop when descriptor N comes to its end
          --ready-fd N         write one byte to descriptor N when requests are served
          --sandbox FOLDER     make a keychain in a folder of keyfob sandbox, and remove the folder at the end
          --allow-root         let --system run as root
          --verbose            log every request
          --version            show the version
          --man                print the manual page: keyfobd --man | man -l -
          --help               show this help

        Signals: TERM and INT stop it when running requests are done, a second one at once; HUP reads the access
        policies again; USR1 locks the keychain.

        Environment: KEYFOB_LOG is the level of the log: error, warning, notice (the default), info or debug.

        """
}
