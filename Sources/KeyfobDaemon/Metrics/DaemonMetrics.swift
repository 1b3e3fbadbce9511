// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobModel
internal import KeyfobWords

/// The daemon's measurements: requests, queue, token, keychain, process.
enum DaemonMetrics {
    /// All of them as OpenMetrics text; asks the token and the store, so it may block.
    static func text(_ engine: KeychainEngine, _ meter: Meter, _ counts: ServerCounts, uptime: Double) -> String {
        var text = OpenMetricsText()
        // A gauge, as the older text format that node-exporter reads knows no info.
        text.family("keyfob_build_info", "gauge", "The version of Keyfob")
        text.sample("keyfob_build_info", [("version", Version.current)], "1")
        text.gauge("keyfob_uptime_seconds", "Seconds since the daemon began to serve", Int(uptime), unit: "seconds")
        requests(meter, counts, &text)
        connections(counts, &text)
        keychain(engine, &text)
        return text.text
    }

    private static func requests(_ meter: Meter, _ counts: ServerCounts, _ text: inout OpenMetricsText) {
        text.family("keyfob_requests", "counter", "Requests that were answered, by operation and result")
        for (key, count) in meter.requests {
            text.sample(
                "keyfob_requests_total",
                [("operation", "\(key.operation)"), ("result", key.code.map { $0.words.name } ?? "success")],
                String(count))
        }
        text.family(
            "keyfob_request_duration_seconds", "histogram", "How long requests took once they ran", unit: "seconds")
        for (operation, times) in meter.times {
            text.histogram("keyfob_request_duration_seconds", [("operation", "\(operation)")], times)
        }
        text.family("keyfob_refused_requests", "counter", "Requests that were not handed on, by reason")
        let refusals = [
            ("busy", counts.busy), ("timed_out", counts.timedOut), ("unavailable", counts.unavailable),
            ("malformed", counts.protocolErrors), ("too_many_bytes", counts.tooManyBytes),
        ]
        for (reason, count) in refusals {
            text.sample("keyfob_refused_requests_total", [("reason", reason)], String(count))
        }
    }

    private static func connections(_ counts: ServerCounts, _ text: inout OpenMetricsText) {
        text.gauge("keyfob_connections", "Programs that are connected", counts.connections)
        text.counter("keyfob_accepted_connections", "Connections that were let in", counts.accepted)
        text.counter("keyfob_refused_connections", "Connections that a limit turned away", counts.refused)
        text.counter("keyfob_slow_connections", "Connections that were ended for being too slow", counts.slow)
        text.gauge("keyfob_queued_requests", "Requests that wait for a worker", counts.queued)
        text.gauge("keyfob_running_requests", "Requests that run", counts.running)
        text.gauge("keyfob_stuck_workers", "Workers in a token call past its deadline", counts.writtenOff)
        text.family("keyfob_received_bytes", "counter", "Bytes from clients", unit: "bytes")
        text.sample("keyfob_received_bytes_total", [], String(counts.bytesIn))
        text.family("keyfob_sent_bytes", "counter", "Bytes to clients", unit: "bytes")
        text.sample("keyfob_sent_bytes_total", [], String(counts.bytesOut))
    }

    private static func keychain(_ engine: KeychainEngine, _ text: inout OpenMetricsText) {
        text.family("keyfob_token_calls", "counter", "Cryptoki calls, by function")
        for (function, count) in engine.tokenCalls.sorted(by: { $0.key < $1.key }) {
            text.sample("keyfob_token_calls_total", [("function", function)], String(count))
        }
        text.family("keyfob_token_call_duration_seconds", "histogram", "How long Cryptoki calls took", unit: "seconds")
        text.histogram("keyfob_token_call_duration_seconds", [], engine.tokenDurations)
        text.gauge("keyfob_token_sessions", "Token sessions that are open for reading", engine.tokenSessions)
        let status: KeychainStatus?
        // What keeps the store from answering shows in the counts of failures.
        do throws(KeychainError) { status = try engine.status() } catch { status = nil }
        text.gauge("keyfob_token_present", "1 if the token answers", status?.absence == nil ? 1 : 0)
        text.gauge("keyfob_unlocked", "1 while the token is logged in", engine.lockState == .unlocked ? 1 : 0)
        text.gauge(
            "keyfob_before_first_unlock", "1 until the token is logged in for the first time",
            engine.lockState == .beforeFirstUnlock ? 1 : 0)
        guard let status else { return }
        text.gauge("keyfob_items", "Items in the keychain", status.items)
        text.family("keyfob_class_key_seals", "gauge", "How often each class key has sealed at most")
        for key in status.keys {
            text.sample(
                "keyfob_class_key_seals",
                [("class", key.id.accessibility.code), ("generation", String(key.id.generation))], String(key.seals))
        }
        if let cache = status.itemKeyCache {
            text.counter("keyfob_item_key_hits", "Values that were read by an item key that was kept", cache.hits)
            text.counter("keyfob_item_key_misses", "Values whose item key was not kept", cache.misses)
            text.gauge("keyfob_item_keys", "Opened item keys that are kept", cache.held)
        }
        text.gauge(
            "keyfob_locked_memory_bytes", "Secret memory that stays in RAM", status.process.lockedBytes, unit: "bytes")
        text.gauge(
            "keyfob_unlocked_memory_bytes", "Secret memory that the kernel refused to lock",
            status.process.unlockedBytes, unit: "bytes")
    }
}
