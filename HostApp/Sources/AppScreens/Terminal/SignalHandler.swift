import Glibc
import Synchronization

/// A handler for signals that replaces the default of ending the program; only one can exist at a time for each signal.
///
/// A signal handler may call only a few functions, so it writes a byte into a pipe that a thread reads. A dispatch source would start the
/// thread pool, which short commands do without.
package final class SignalHandler {
    private static let actions = Mutex<[Int32: @Sendable (Int32) -> Void]>([:])
    private let numbers: [Int32]

    /// Installs the handler. A signal that is ignored, as under `nohup`, stays ignored.
    ///
    /// - Parameter action: called on a separate thread with the number of each signal.
    package init?(_ numbers: Int32..., action: @escaping @Sendable (Int32) -> Void) {
        guard writeEnd >= 0 else { return nil }
        self.numbers = numbers
        for number in numbers {
            Self.actions.withLock { $0[number] = action }
            // `signal` restarts interrupted system calls, so a pending read of standard input continues.
            let before = signal(number, wake)
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// Restores the default, so that the signals end the program.
    package func end() {
        for number in numbers { Self.restoreDefault(of: number) }
    }

    /// Restores the default of a signal that has a handler.
    package static func restoreDefault(of number: Int32) {
        if actions.withLock({ $0.removeValue(forKey: number) }) != nil { signal(number, SIG_DFL) }
    }

    /// Calls the actions of the signals whose numbers arrive at the end of a pipe.
    fileprivate static func attend(to end: Int32) {
        var byte: UInt8 = 0
        while case let count = read(end, &byte, 1), count == 1 || count < 0 && errno == EINTR {
            if count == 1, let action = actions.withLock({ $0[Int32(byte)] }) { action(Int32(byte)) }
        }
    }
}

/// The end of the pipe for signal handlers, whose other end a thread reads until the process ends; -1 without one.
private let writeEnd: Int32 = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Where memory is short, the usual megabytes would be missing elsewhere.
    pthread_attr_setstacksize(&attributes, 256 << 10)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let readEnd = UnsafeMutableRawPointer(bitPattern: Int(ends[0]))
    let status = pthread_create(
        &thread, &attributes,
        { end in
            SignalHandler.attend(to: Int32(Int(bitPattern: end)))
            return nil
        }, readEnd)
    if status == 0 { return ends[1] }
    for end in ends { close(end) }
    return -1
}()

private func wake(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writeEnd, &byte, 1)
    errno = error
}
