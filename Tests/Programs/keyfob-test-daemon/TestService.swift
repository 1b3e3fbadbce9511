// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobDaemon
internal import KeyfobEngine
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSystemd
internal import Synchronization

/// What the frame runs in tests.
///
/// `TEST_SERVICE` in the environment chooses a habit: `sick` is never healthy, `slow-stop` stops when it is killed only,
/// `deaf` can neither reload nor lock. With `empty`, or with `EMPTY` set, it has no keychain.
final class TestService: DaemonService {
    private let settings: DaemonSettings
    private let sockets: [ActivatedSocket]
    private let habit = Environment.value("TEST_SERVICE")
    private let keychain = Mutex<DaemonKeychain?>(nil)
    private let reloads = Atomic(0)

    init(_ settings: DaemonSettings, _ sockets: [ActivatedSocket]) {
        self.settings = settings
        self.sockets = sockets
    }

    func start() throws(KeychainError) {
        if habit != "empty", Environment.value("EMPTY") == nil {
            let opened = try DaemonKeychain(settings)
            opened.unlockWithoutAsking(settings)
            keychain.withLock { $0 = opened }
        }
        if let socket = sockets.first {
            serve(socket.descriptor)
        } else {
            try settings.prepareSocketFolder()
            serve(try listen())
        }
    }

    func reload() throws(KeychainError) {
        guard habit != "deaf" else { throw KeychainError(.configurationInvalid, .configure) }
        reloads.add(1, ordering: .relaxed)
    }

    func lock(_ reason: LockReason) throws(KeychainError) {
        guard habit != "deaf" else { throw KeychainError(.tokenFailed, .lock) }
        try keychain.withLock { $0 }?.engine.lock(reason)
    }

    func stop(grace: Duration) {
        Log.shared.notice("grace \(grace.components.seconds) s")
        while habit == "slow-stop" { pause() }
        keychain.withLock { $0 }?.engine.close()
    }

    var isHealthy: Bool { habit != "sick" }

    var statusLine: String {
        let state = keychain.withLock { $0 }?.statusLine ?? "no keychain"
        return "\(state); \(reloads.load(ordering: .relaxed)) reloads"
    }

    // MARK: - Socket

    private func listen() throws(KeychainError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = settings.socket
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (index, byte) in path.utf8.prefix(room.count - 1).enumerated() { unsafe room[index] = byte }
        }
        unsafe unlink(path)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) == 0 }
        }
        guard isBound, unsafe chmod(path, settings.socketMode) == 0, Glibc.listen(descriptor, 8) == 0 else {
            throw KeychainError(.last("bind"), .serve, path: path)
        }
        return descriptor
    }

    /// One thread answers everybody with the status line.
    private func serve(_ listening: Int32) {
        let work = unsafe Unmanaged.passRetained(Work(service: self, listening: listening))
        var thread = pthread_t()
        unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                work.run()
                return nil
            }, unsafe work.toOpaque())
    }
}

/// What the thread does.
private final class Work: Sendable {
    let service: TestService
    let listening: Int32

    init(service: TestService, listening: Int32) {
        self.service = service
        self.listening = listening
    }

    func run() {
        while true {
            let connection = accept(listening, nil, nil)
            guard connection >= 0 else { continue }
            let line = service.statusLine + "\n"
            _ = unsafe send(connection, line, line.utf8.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }
}
