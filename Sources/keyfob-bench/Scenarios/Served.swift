// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobClient
internal import KeyfobDaemon
internal import KeyfobModel
internal import KeyfobPlatform
internal import Synchronization

/// The keychain through a daemon's socket: server and clients in this process, on threads of their own.
final class Served {
    /// What a request to copy one value and its answer take on the wire, header included.
    private static let requestSize = 100
    private static let answerSize = 80
    private static let clients = 64

    private let server: KeychainServer
    private let copy: Series
    private let attributes: Series
    private let bare: Series
    private let client: DaemonClient
    private let socket: String
    private let items: Int
    private var crowd: [Double] = []

    init(_ keychain: BenchKeychain, items: Int) throws {
        socket = keychain.folder + "/bench.sock"
        server = try KeychainServer(keychain.engine, owner: OwnerRule(uid: geteuid()))
        server.listen(on: try ListeningSocket.listen(socket))
        try server.start(socket: socket)
        let client = DaemonClient(sockets: [socket])
        self.client = client
        self.items = items
        var dice = Dice()
        func match(_ returns: ReturnFlags) throws {
            let query = BenchItem.query(Int.random(in: 0..<items, using: &dice))
            let result = try client.copyMatching(MatchRequest(query, returns: returns))
            guard result.items.count == 1 else { throw BenchFailure("a query found \(result.items.count) items") }
        }
        copy = Series("daemon-copy", batch: 10, batches: 50) { _ in try match(.data) }
        attributes = Series("daemon-attributes", batch: 10, batches: 50) { _ in try match(.attributes) }
        let trip = try BareSocket(requestSize: Self.requestSize, answerSize: Self.answerSize)
        bare = Series("bare-socket", batch: 10, batches: 50) { _ in try trip.roundTrip() }
    }

    deinit {
        server.stop(grace: .seconds(5))
    }

    var series: [Series] { [copy, attributes, bare] }

    /// Sixty-four clients at once, each with a connection of its own: the time of each call.
    func round() throws {
        let times = Mutex<[Double]>([])
        let (socket, items) = (socket, items)
        try Threads.run(Self.clients) { number in
            let client = DaemonClient(sockets: [socket])
            var own: [Double] = []
            for step in 0..<50 {
                let query = BenchItem.query((number * 7919 + step * 104_729) % items)
                // A call that fails is missing from the times, and `round` notices.
                let time = try? Stopwatch.time { _ = try client.copyMatching(MatchRequest(query, returns: .data)) }
                if let time { own.append(time) }
            }
            times.withLock { $0 += own }
        }
        let all = times.withLock { $0 }
        guard all.count == Self.clients * 50 else { throw BenchFailure("some of the clients' calls failed") }
        crowd += all
    }

    /// - Parameters:
    ///   - embedded: the same copy in the process, in microseconds.
    ///   - libsecret: a copy through libsecret by a client that stays, in microseconds; nil leaves its row out.
    func figures(embedded: Double, libsecret: Double?) -> [Figure] {
        let sorted = crowd.sorted()
        let limit = embedded + 3 * bare.median
        let peer = libsecret.map {
            Figure(
                "libsecret-copy", "copy through libsecret, one client that stays", $0,
                limit: .init(value: copy.median, words: "copy through the daemon"), goal: .atLeast(10))
        }
        let figures: [Figure?] = [
            Figure("bare-socket", "Unix-socket round trip between two threads", bare.median),
            Figure(
                "daemon-copy", "copy one value through the daemon", copy.median,
                limit: .init(value: limit, words: "embedded + 3 round trips"), goal: .atMost(1)),
            peer,
            Figure(
                "daemon-attributes", "copy attributes through the daemon", attributes.median,
                limit: .init(value: bare.median, words: "round trip")),
            Figure("daemon-64-p50", "the same copy, 64 clients at once, median", sorted[sorted.count / 2]),
            Figure("daemon-64-p99", "the same, 99 of 100 are faster", sorted[sorted.count * 99 / 100]),
        ]
        return figures.compactMap(\.self)
    }
}
