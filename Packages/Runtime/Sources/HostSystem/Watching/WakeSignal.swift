internal import CSystem
import Glibc
package import PluginCore

/// A signal that permanently ends the sleep of a thread, from any other thread.
package final class WakeSignal: Sendable {
    private let ends: (Int32, Int32)

    package init(for subject: FilePath) throws(AtriumError) {
        var ends: [Int32] = [-1, -1]
        guard csystem_wake_open(&ends) == 0 else { throw FileSystem.failure(reason: "watchingFailed", subject) }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        csystem_wake_close([ends.0, ends.1])
    }

    package func signal() {
        csystem_wake([ends.0, ends.1])
    }

    /// The reasons why a sleep has ended.
    package enum Waking {
        case signal, descriptor, time
    }

    /// Sleeps until the signal is given, a descriptor is readable, or the time has passed.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, or a negative number for none.
    ///   - milliseconds: the time; `nil` for no limit.
    package func sleep(until descriptor: Int32 = -1, for milliseconds: Int32? = nil) -> Waking {
        var watched = [
            pollfd(fd: ends.0, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
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
