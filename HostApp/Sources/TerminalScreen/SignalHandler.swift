import Glibc

/// A handler for signals that replaces the default of ending the program; only one can exist at a time for each signal.
///
/// A signal handler may call only a few functions, so it writes a byte into a pipe that a thread reads. A dispatch source would start the
/// thread pool, which short commands do without.
package final class SignalHandler {
    private let numbers: [Int32]
    private let writeEnd: Int32

    /// The thread's part of a handler.
    private final class Reader: Sendable {
        private let end: Int32
        private let action: @Sendable (Int32) -> Void

        init(_ end: Int32, _ action: @escaping @Sendable (Int32) -> Void) { (self.end, self.action) = (end, action) }

        func run() {
            var byte: UInt8 = 0
            while true {
                let count = read(end, &byte, 1)
                if count == 1 { action(Int32(byte)) } else if count == 0 || errno != EINTR { break }
            }
            close(end)
        }
    }

    /// Installs the handler. A signal that is ignored, as under `nohup`, stays ignored.
    ///
    /// - Parameter action: called on a separate thread with the number of each signal.
    package init?(_ numbers: Int32..., action: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (read, write) = (ends[0], ends[1])
        _ = fcntl(write, F_SETFL, O_NONBLOCK)
        self.numbers = numbers
        writeEnd = write
        let reader = Unmanaged.passRetained(Reader(read, action))
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Where memory is short, the usual megabytes would be missing elsewhere.
        pthread_attr_setstacksize(&attributes, 256 << 10)
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, reader.toOpaque())
        guard status == 0 else {
            reader.release()
            for end in ends { close(end) }
            return nil
        }
        pthread_detach(thread)
        for number in numbers {
            wakingEnds[Int(number)] = write
            // `signal` restarts interrupted system calls, so a pending read of standard input continues.
            let before = signal(number, wake)
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// Restores the default, so that the signals end the program.
    package func end() {
        for number in numbers { Self.restoreDefault(of: number) }
        close(writeEnd)
    }

    /// Restores the default of a signal that has a handler.
    package static func restoreDefault(of number: Int32) {
        if wakingEnds[Int(number)] < 0 { return }
        signal(number, SIG_DFL)
        wakingEnds[Int(number)] = -1
    }
}

// because: a signal handler takes no context and can run at any time, so that it needs plain memory.
private nonisolated(unsafe) let wakingEnds = {
    let place = UnsafeMutablePointer<Int32>.allocate(capacity: 65)
    place.initialize(repeating: -1, count: 65)
    return place
}()

private func wake(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    if wakingEnds[Int(number)] >= 0 { _ = write(wakingEnds[Int(number)], &byte, 1) }
    errno = error
}
