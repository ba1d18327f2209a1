import ExtensionProtocol
import HostSystem
package import PluginCore
import Processes
import Synchronization

/// The time of a request, which counts while the extension works, and not while a page of the request waits for the user.
package final class RequestTime: Sendable {
    private struct State {
        var number: UInt32?
        /// The number of tasks of the extension: the request itself, and the actions of its pages.
        var tasks = 0
        var deadlines: [DeadlineQueue.Deadline] = []
    }

    /// The time between the announcement of a request's end and its end, as a part of the request's time.
    private static let warningPart = 0.2

    private let monitor: ProcessMonitor
    private let seconds: Double
    private let state = Mutex(State())

    init(of monitor: ProcessMonitor, seconds: Double) {
        self.monitor = monitor
        self.seconds = seconds
    }

    /// The number of the request, or nil before it is sent.
    package internal(set) var number: UInt32? {
        get { state.withLock { $0.number } }
        set { state.withLock { $0.number = newValue } }
    }

    /// A Boolean value that indicates whether the request has ended, also if nobody has noticed it yet.
    package var isOver: Bool { number.map { !monitor.connection.waits(for: $0) } ?? false }

    /// Begins a task of the extension, for the first of which the time begins.
    package func begin() throws(AtriumError) {
        let warning = try DeadlineQueue.shared.after(seconds * (1 - Self.warningPart)) { [weak self] in
            guard let self, let number else { return }
            monitor.connection.send(Messages.expire, number, UInt32(seconds * Self.warningPart * 1000))
        }
        let deadlines = [warning, try monitor.deadline(.request, after: seconds)]
        let unneeded = state.withLock { state in
            state.tasks += 1
            guard state.tasks == 1 else { return deadlines }
            state.deadlines = deadlines
            return []
        }
        for deadline in unneeded { DeadlineQueue.shared.cancel(deadline) }
    }

    /// Ends a task of the extension, after the last of which the time does not count. Returns false if there is none.
    @discardableResult
    package func end() -> Bool {
        let (hadTask, ended): (Bool, [DeadlineQueue.Deadline]) = state.withLock { state in
            guard state.tasks > 0 else { return (false, []) }
            state.tasks -= 1
            return (true, state.tasks == 0 ? state.deadlines : [])
        }
        for deadline in ended { DeadlineQueue.shared.cancel(deadline) }
        return hadTask
    }
}
