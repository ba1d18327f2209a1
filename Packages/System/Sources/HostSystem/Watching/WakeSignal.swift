internal import CSystem
import Glibc
package import PluginCore

/// A signal that ends the sleep of a thread, from any other thread; for good, unless the thread resets it.
package final class WakeSignal: Sendable {
    let descriptor: Int32

    /// Creates a signal.
    ///
    /// - Parameters:
    ///   - subject: what is waited for, for the error.
    ///   - name: the name of the error's reason.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package init(for subject: FilePath, failing name: String = "watchingFailed") throws(AtriumError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw FileSystem.failure(reason: name, subject) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func signal() { while eventfd_write(descriptor, 1) < 0, errno == EINTR {} }

    /// Takes the signals back that were given until now.
    func reset() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// The reasons why a sleep has ended.
    package enum Waking {
        case signal, descriptor, time
    }

    /// Sleeps until the signal is given, a descriptor is ready, or the time has passed.
    ///
    /// - Parameters:
    ///   - other: the descriptor, or a negative number for none.
    ///   - sending: whether to wait until something can be written to the descriptor, too.
    ///   - milliseconds: the time; `nil` for no limit.
    package func sleep(until other: Int32 = -1, sending: Bool = false, for milliseconds: Int32? = nil) -> Waking {
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN | (sending ? POLLOUT : 0)), revents: 0),
        ]
        while poll(&watched, 2, milliseconds ?? -1) < 0 {
            // No other error is possible for our descriptors; a thread that can't sleep must not loop.
            guard errno == EINTR || errno == EAGAIN || errno == ENOMEM else { return .signal }
            if errno != EINTR { usleep(10_000) }
        }
        if watched[0].revents != 0 { return .signal }
        return watched[1].revents != 0 ? .descriptor : .time
    }
}
