// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobTestSupport
import Testing

/// Processes that connect, and processes that get their numbers.
enum PeerProgram {
    /// Connects to the path that it is given, says so, and replaces itself by a program that waits for its input's end.
    private static let connecting = """
        use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un($ARGV[0])) or die "$!";
        $| = 1; print "connected\\n"; sysread(STDIN, $_, 1);
        if ($ARGV[1] eq 'exec') { use Fcntl; fcntl(S, F_SETFD, 0); exec '/usr/bin/cat' } exit 0;
        """

    /// Makes a child of the number that it is given (clone3(2), `set_tid`), which becomes what the other words say.
    private static let taking = """
        my $number = pack('l', shift);
        my $how = pack('Q11', 0, 0, 0, 0, 17, 0, 0, 0, unpack('Q', pack('p', $number)), 1, 0);
        my $child = syscall(435, $how, length $how);
        die "clone3: $!" if $child < 0;
        if (!$child) { exec @ARGV or die "exec: $!" }
        waitpid($child, 0);
        """

    /// A process that has connected and waits for its input; it ends then, or becomes cat in mode `exec`.
    static func connecting(
        to path: String, _ mode: String = "end", launcher: [String] = []
    ) throws -> LiveProgram {
        let program = try LiveProgram(path: "/usr/bin/perl", ["-e", connecting, path, mode], launcher: launcher)
        #expect(program.line() == "connected", "\(program.errorText)")
        return program
    }

    /// The parent of a process that runs with a number that is free, behind `launcher` if there is one.
    static func taking(_ pid: Int32, launcher: [String] = []) throws -> LiveProgram {
        try #require(geteuid() == 0, "only root chooses the number of a process")
        let waiting = ["/usr/bin/perl", "-e", "$| = 1; print qq($$\\n); sysread(STDIN, $_, 1)"]
        let program = try LiveProgram(path: "/usr/bin/perl", ["-e", taking, "\(pid)"] + launcher + waiting)
        #expect(program.line() == "\(pid)", "\(program.errorText)")
        return program
    }
}
