// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPlatform
internal import Synchronization

/// The threads that serve: which there are, and which are written off.
final class Crew: Sendable {
    private struct Book {
        var nextID = 0
        var workers: [Int: Worker] = [:]
        var threads: [Int: OwnThread] = [:]
        var writtenOff: Set<Int> = []
    }

    private let core: ServerCore
    private let book = Mutex(Book())

    init(_ core: ServerCore) {
        self.core = core
    }

    /// Those that there are now, the written-off ones too.
    var all: [Worker] { book.withLock { Array($0.workers.values) } }

    /// Starts a thread, which counts as live already.
    func hire() {
        do throws(PosixError) {
            let failed: PosixError? = book.withLock { book in
                let worker = Worker(id: book.nextID, core: core)
                do throws(PosixError) {
                    book.threads[worker.id] = try OwnThread("keyfobd-serve") { self.serve(worker) }
                } catch {
                    return error
                }
                book.workers[worker.id] = worker
                book.nextID += 1
                return nil
            }
            if let failed { throw failed }
        } catch {
            Log.shared.error("no thread to serve: \(error.call): errno \(error.errno)")
            failedToStart()
        }
    }

    /// A thread hangs, and its request has been answered.
    func writeOff(_ worker: Worker) {
        book.withLock { book in
            guard book.threads[worker.id] != nil else { return }
            book.writtenOff.insert(worker.id)
        }
    }

    /// Waits for every thread that is not written off, which must be about to end, and lets the others go.
    func disband() {
        let (ending, hanging) = book.withLock { book in
            defer { book = Book() }
            let hanging = book.threads.filter { book.writtenOff.contains($0.key) }
            return (book.threads.filter { hanging[$0.key] == nil }.values, hanging.values)
        }
        for thread in hanging { thread.letGo() }
        for thread in ending { thread.join() }
    }

    private func serve(_ worker: Worker) {
        let buffer: SecretBytes
        do throws(SecretMemoryError) {
            buffer = try SecretBytes(count: Worker.bufferSize)
        } catch {
            Log.shared.error("no memory to serve: \(error.name): errno \(error.errno)")
            failedToStart()
            return leave(worker)
        }
        let isLeftOver = worker.run(buffer) { self.book.withLock { _ = $0.writtenOff.remove(worker.id) } }
        if isLeftOver { leave(worker) }
    }

    private func failedToStart() {
        if core.workers.withLock({
            $0.failedToStart(); return $0.isOver
        }) {
            core.over.signal()
        }
    }

    /// The calling thread ends, and nobody waits for it.
    private func leave(_ worker: Worker) {
        let thread = book.withLock { book in
            book.workers[worker.id] = nil
            book.writtenOff.remove(worker.id)
            return book.threads.removeValue(forKey: worker.id)
        }
        thread?.letGo()
    }
}
