internal import Dispatch
internal import Synchronization

/// The side of a process where a test types.
final class ProcessInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Mutex<Int32?>
    /// Writes wait here, and none of them in the concurrency pool.
    private let queue = DispatchQueue(label: "process input")

    init(_ descriptor: Int32, isTerminal: Bool) {
        System.makeNonBlocking(descriptor)
        self.isTerminal = isTerminal
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        descriptor.withLock { if let open = $0 { System.close(open) } }
    }

    /// Writes all bytes; `false` when nobody takes them, at all or in time.
    func write(_ bytes: [UInt8], timeout: Duration) async -> Bool {
        let deadline = ContinuousClock.now + timeout
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.writeAll(bytes, before: deadline)) }
        }
    }

    /// No more input: the pipe's end, or on a terminal Control-D.
    func close() {
        queue.async {
            if self.isTerminal {
                _ = self.writeAll([0x04], before: .now + .seconds(1))
            } else {
                self.descriptor.withLock { open in
                    if let open { System.close(open) }
                    open = nil
                }
            }
        }
    }

    func resize(columns: UInt16, rows: UInt16) {
        descriptor.withLock { if let open = $0 { System.resize(open, columns: columns, rows: rows) } }
    }

    /// Only ever called on the queue, which also closes: the descriptor stays what it is while this runs.
    private func writeAll(_ bytes: [UInt8], before deadline: ContinuousClock.Instant) -> Bool {
        guard let open = descriptor.withLock({ $0 }) else { return false }
        var left = bytes[...]
        while !left.isEmpty {
            guard let count = System.write(left, to: open) else { return false }
            left = left.dropFirst(count)
            if count == 0, !System.waitUntilWritable(open, timeout: deadline.millisecondsLeft) { return false }
        }
        return true
    }
}

extension ContinuousClock.Instant {
    /// From now to here for poll(2), at most an hour and rounded up, so that zero means over.
    fileprivate var millisecondsLeft: Int32 {
        let (seconds, fraction) = min(max(.zero, self - .now), .seconds(3600)).components
        return Int32(seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
