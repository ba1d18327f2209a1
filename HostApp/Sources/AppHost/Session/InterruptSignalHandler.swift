internal import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A handler for Ctrl-C that replaces the default of ending the program; only one can exist at a time.
///
/// A signal handler may call only a few functions, so it writes a byte into a pipe that a dispatch queue reads.
final class InterruptSignalHandler {
    private let source: any DispatchSourceRead

    /// Installs the handler.
    ///
    /// - Parameter action: called on a separate queue, once for each press.
    init?(_ action: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (read, write) = (ends[0], ends[1])
        source = DispatchSource.makeReadSource(fileDescriptor: read, queue: DispatchQueue(label: "interrupts"))
        source.setEventHandler {
            var byte: UInt8 = 0
            while systemRead(read, &byte, 1) == 1 { action() }
        }
        source.setCancelHandler {
            close(read)
            close(write)
        }
        source.activate()
        wakingEnd.pointee = write
        // `signal` restarts interrupted system calls, so a pending read of standard input continues.
        signal(SIGINT, wake)
    }

    /// Restores the default, so that Ctrl-C ends the program.
    func end() {
        Self.restore()
        source.cancel()
    }

    /// Ends the program in the same way as Ctrl-C does by default.
    static func endProgram() {
        restore()
        kill(getpid(), SIGINT)
    }

    private static func restore() {
        signal(SIGINT, SIG_DFL)
        wakingEnd.pointee = -1
    }
}

private let systemRead = read

// because: a signal handler takes no context and can run at any time, so that it needs plain memory.
private nonisolated(unsafe) let wakingEnd = {
    let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    place.pointee = -1
    return place
}()

private func wake(_ number: Int32) {
    let error = errno
    var byte: UInt8 = 1
    if wakingEnd.pointee >= 0 { _ = write(wakingEnd.pointee, &byte, 1) }
    errno = error
}
