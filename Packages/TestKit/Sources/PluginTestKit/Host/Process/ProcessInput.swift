internal import Dispatch
internal import Synchronization

/// The standard input of a process.
final class ProcessInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Mutex<Int32?>
    /// Blocking writes run on this queue instead of the concurrency pool.
    private let queue = DispatchQueue(label: "process input")

    init(_ descriptor: Int32, isTerminal: Bool) {
        System.makeNonBlocking(descriptor)
        self.isTerminal = isTerminal
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        descriptor.withLock { if let open = $0 { System.close(open) } }
    }

    /// Writes all bytes. Returns false if the process does not read them, at all or in time.
    func write(_ bytes: [UInt8], timeout: Duration) async -> Bool {
        let deadline = ContinuousClock.now + timeout
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.writeAll(bytes, before: deadline)) }
        }
    }

    /// Ends the input by closing the pipe, or on a terminal by Control-D.
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

    /// Writes bytes. It must run on the queue, which also closes the descriptor, so the descriptor remains valid.
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
    /// The remaining time in milliseconds for poll, at most an hour and rounded up, so that zero means expired.
    fileprivate var millisecondsLeft: Int32 {
        let (seconds, fraction) = min(max(.zero, self - .now), .seconds(3600)).components
        return Int32(seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
