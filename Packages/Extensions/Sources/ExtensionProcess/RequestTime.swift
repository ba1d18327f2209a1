import ExtensionProtocol
import HostSystem
package import PluginCore
import Processes
import Synchronization

/// The time of a request, or of an action of its page, which counts while the extension works, and not while a page waits for the user.
package final class RequestTime: Sendable {
    private struct State {
        var number: UInt32?
        /// The seconds that have counted before the last pause, so that a pause never gives the extension more time.
        var used = 0.0
        /// The moment since which the time counts, or nil during a pause.
        var start: ContinuousClock.Instant?
        var deadlines: [DeadlineQueue.Deadline] = []
    }

    /// The time between the announcement of a request's end and its end, as a part of the request's time.
    private static let warningPart = 0.2

    private let monitor: ProcessMonitor
    private let seconds: Double
    private let state: Mutex<State>

    init(of monitor: ProcessMonitor, seconds: Double, _ number: UInt32? = nil) {
        self.monitor = monitor
        self.seconds = seconds
        state = Mutex(State(number: number))
    }

    /// The number of the request, or nil before it is sent.
    package internal(set) var number: UInt32? {
        get { state.withLock { $0.number } }
        set { state.withLock { $0.number = newValue } }
    }

    /// A Boolean value that indicates whether the request has ended, also if nobody has noticed it yet.
    package var hasRequestEnded: Bool { number.map { !monitor.connection.waits(for: $0) } ?? false }

    /// Returns the time of an action of the request's page, which is as much as that of the request.
    package func timeOfAction() -> RequestTime {
        RequestTime(of: monitor, seconds: seconds, number)
    }

    /// Lets the rest of the time count, at the beginning and after a pause.
    package func resume() throws(AtriumError) {
        let rest = max(0, seconds - state.withLock { $0.used })
        let warned = min(rest, seconds * Self.warningPart)
        let warning = try DeadlineQueue.shared.after(rest - warned) { [weak self] in
            guard let self, let number else { return }
            monitor.connection.send(Messages.expire, number, UInt32(warned * 1000))
        }
        let deadlines = [warning, try monitor.deadline(.request, after: rest, of: seconds)]
        state.withLock { ($0.start, $0.deadlines) = (ContinuousClock.now, deadlines) }
    }

    /// Stops the counting of the time, if it counts.
    package func pause() {
        let ended = state.withLock { state in
            defer { (state.start, state.deadlines) = (nil, []) }
            if let start = state.start { state.used += start.duration(to: ContinuousClock.now) / .seconds(1) }
            return state.deadlines
        }
        for deadline in ended { DeadlineQueue.shared.cancel(deadline) }
    }
}
