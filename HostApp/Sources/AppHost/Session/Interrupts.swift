internal import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Takes Ctrl-C from the terminal, as long as it lives, instead of having it end the program. One at a time.
///
/// A signal handler may do next to nothing, so it writes a byte into a pipe, which a queue of its own reads.
final class Interrupts {
    private let source: any DispatchSourceRead

    /// - Parameter action: is called on a queue of its own, once for each press.
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
        // Restarts what was interrupted: whoever reads a line goes on reading it.
        signal(SIGINT, wake)
    }

    /// Has Ctrl-C end the program again.
    func end() {
        Self.restore()
        source.cancel()
    }

    /// Ends the program as if Ctrl-C had never been taken.
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

// Plain memory, because a handler can be handed nothing and may come at any moment.
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
