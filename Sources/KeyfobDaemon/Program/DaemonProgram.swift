// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel
internal import KeyfobPlatform
package import KeyfobSystemd
internal import KeyfobWords

/// Makes what is to be served, of the settings and the listening sockets that the manager opened.
///
/// The maker owns the sockets. The process has one thread when it is called.
package typealias DaemonServiceFactory = (DaemonSettings, [ActivatedSocket]) throws(KeychainError) -> any DaemonService

/// The daemon's program, apart from what it serves.
package enum DaemonProgram {
    /// Runs in the foreground until something stops it; ends the process with an `ExitStatus`.
    ///
    /// The process has one thread when `make` is called, and all signals of `DaemonLoop` are blocked by then.
    package static func run(_ make: DaemonServiceFactory) -> Never {
        StandardDescriptors.occupy()
        do throws(Failure) {
            switch try DaemonOptions.parse(try ProcessArguments.read()) {
            case .help: finish(DaemonHelp.text)
            case .manual: finish(DaemonManualPage.text)
            case .version: finish("keyfobd \(Version.current)\n")
            case .serve(let options): try serve(options, make)
            }
        } catch {
            complain(error)
            _exit(error.status.rawValue)
        }
        // Exit handlers of libraries would run beside threads that still use them.
        _exit(ExitStatus.success.rawValue)
    }

    // MARK: - Serving

    private static func serve(_ options: DaemonOptions, _ make: DaemonServiceFactory) throws(Failure) {
        DaemonLog.setUp(isVerbose: options.isVerbose)
        do throws(KeychainError) {
            var loop = try prepare(options, make)
            try loop.service.start()
            tellReady(options)
            let reason = loop.run()
            Log.shared.notice("stopping: \(reason)")
            ServiceNotification.stopping(status: "stopping: \(reason)")
            SignalDescriptor.endAtOnce(on: DaemonLoop.stopSignals)
            loop.service.stop(grace: DaemonLoop.grace)
            Log.shared.notice("stopped")
        } catch {
            let failure = Failure(error)
            ServiceNotification.failed(status: failure.what, errno: error.systemErrno ?? 0)
            throw failure
        }
    }

    private static func prepare(
        _ options: DaemonOptions, _ make: DaemonServiceFactory
    ) throws(KeychainError) -> DaemonLoop {
        let sockets = try takeOver(options)
        let signals = try SignalDescriptor.blocking(DaemonLoop.signals)
        let watchdog = Watchdog.takeInterval()
        let settings = try DaemonSettings(options, currentFolder: currentFolder())
        return DaemonLoop(
            try make(settings, sockets), signals, stopDescriptor: options.stopDescriptor, watchdog: watchdog)
    }

    /// Makes the process what a daemon has to be, before anything is opened and any thread runs.
    private static func takeOver(_ options: DaemonOptions) throws(KeychainError) -> [ActivatedSocket] {
        try ProcessHardening.apply()
        try ProcessHardening.forbidNewPrivileges()
        try ProcessHardening.ignoreBrokenPipes()
        let sockets = try SocketActivation.take()
        var kept = sockets.map(\.descriptor)
        for (descriptor, option) in [
            (options.stopDescriptor, "--stop-with-fd"), (options.readyDescriptor, "--ready-fd"),
        ] {
            guard let descriptor else { continue }
            try InheritedDescriptors.verify(descriptor, option: option)
            kept.append(descriptor)
        }
        try InheritedDescriptors.close(except: kept)
        return sockets
    }

    /// Tells who waits on the descriptor that requests are served; one who is gone waits no more.
    private static func tellReady(_ options: DaemonOptions) {
        guard let descriptor = options.readyDescriptor else { return }
        _ = unsafe write(descriptor, "\n", 1)
        if descriptor != options.stopDescriptor { close(descriptor) }
    }

    // MARK: - Talk

    private static func finish(_ text: String) {
        guard unsafe write(STDOUT_FILENO, text, text.utf8.count) == text.utf8.count else {
            _exit(ExitStatus.inputOutput.rawValue)
        }
    }

    private static func complain(_ failure: Failure) {
        let hint = failure.hint.map { "\nkeyfobd: hint: \($0)" } ?? ""
        DaemonLog.complain("keyfobd: error: \(failure.what)\(hint)\n")
    }

    /// Nil if there is none: then only absolute paths are taken.
    private static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(validatingCString: path)
    }
}

extension KeychainError {
    /// The `errno` of the system call that was to blame, or nil: none was.
    package var systemErrno: Int32? {
        guard case .posix(_, let errno) = cause else { return nil }
        return errno
    }
}
