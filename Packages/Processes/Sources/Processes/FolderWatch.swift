import CProcesses
import Glibc
import HostSystem
public import PluginCore

/// Watches a folder, or its nearest existing parent until the folder exists, on the thread that runs it.
private struct FolderWatcher: ~Copyable {
    /// The pause after a notification in milliseconds, so that a burst of changes causes two notifications.
    private static let pause: Int32 = 20

    let folder: FilePath
    /// A Boolean value that indicates whether to use the kernel's notifications.
    let isTold: Bool
    /// Ends the watch.
    let wake: WakeSignal
    /// The time between checks in milliseconds, where the kernel doesn't report changes.
    let interval: Int32
    let isMeant: (_ name: String, _ hasCome: Bool) -> Bool
    /// The descriptor of the watch; negative where the kernel doesn't report changes.
    var descriptor: Int32 = -1
    /// The entry of the watched folder that leads to the intended one; `nil` if that itself is watched.
    var way: String?

    deinit { close(descriptor) }

    /// Calls a closure immediately and after each change that may matter, until the wake signal is given.
    mutating func run(_ onChange: () -> Void) {
        watchNearestFolder()
        repeat { onChange() } while sleep()
    }

    /// Sleeps until the next notification.
    ///
    /// - Returns: `false` when the wake signal is given.
    private mutating func sleep() -> Bool {
        if case .signal = wake.sleep(for: Self.pause) { return false }
        while true {
            switch wake.sleep(until: descriptor, for: descriptor < 0 ? interval : nil) {
            case .signal: return false
            case .time: return true
            case .descriptor: if take() { return true }
            }
        }
    }

    /// Takes the kernel's events, and returns whether any of them matters.
    private mutating func take() -> Bool {
        let events = events()
        if events.contains(where: { $0.mask & Self.losses != 0 || $0.name == way }) {
            watchNearestFolder()
            return true
        }
        return way == nil && events.contains { isMeant($0.name, $0.mask & Self.arrivals != 0) }
    }

    /// The kernel's events for items that appear in a folder and that disappear from it, and for the end of a folder or of its events.
    private static let (arrivals, departures) = (UInt32(IN_CREATE | IN_MOVED_TO), UInt32(IN_DELETE | IN_MOVED_FROM))
    private static let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
    private static let losses = ends | UInt32(IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW)

    /// Reads all pending events, without blocking.
    private func events() -> [(mask: UInt32, name: String)] {
        var events: [(mask: UInt32, name: String)] = []
        // Large enough for one event with the longest possible name; further events take further reads.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                var rest = UnsafeRawBufferPointer(buffer)[..<count]
                while rest.count >= MemoryLayout<inotify_event>.size {
                    let event = UnsafeRawBufferPointer(rebasing: rest).load(as: inotify_event.self)
                    rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
                    let name = rest.prefix(Int(event.len)).prefix { $0 != 0 }
                    events.append((event.mask, String(decoding: name, as: UTF8.self)))
                    rest = rest.dropFirst(Int(event.len))
                }
            }
        }
        return events
    }

    /// Watches the folder, or its nearest existing parent.
    private mutating func watchNearestFolder() {
        // A folder may be created between the attempts to watch it and its parent, but not indefinitely.
        for _ in 0..<16 {
            close(descriptor)
            descriptor = isTold ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
            guard let next = addNearestFolder() else { return way = nil }
            way = next.lastComponent
            // An item that can't be examined is reported by its reader.
            if (try? FileSystem.item(at: next)) == nil { return }
        }
        close(descriptor)
        descriptor = -1
    }

    /// Adds the folder or its nearest existing parent to the watch, and returns the next component of the path behind the latter.
    ///
    /// If none of them can be watched, the watch is closed.
    private mutating func addNearestFolder() -> FilePath? {
        var (path, next): (FilePath, FilePath?) = (folder, nil)
        let mask = Self.arrivals | Self.departures | Self.ends | UInt32(IN_ONLYDIR)
        while inotify_add_watch(descriptor, path.string, mask) < 0 {
            guard errno == ENOENT || errno == ENOTDIR, path.parent != path else {
                close(descriptor)
                descriptor = -1
                return nil
            }
            (path, next) = (path.parent, path)
        }
        return next
    }
}

/// Reports the changes of a folder on a thread of its own, until it is stopped or released.
///
/// ```swift
/// let watch = try FolderWatch(database: folder.appending("registry.sqlite")) { print("look again") }
/// ```
public final class FolderWatch: Sendable {
    private let wake: WakeSignal
    private let start: DeadlineQueue.Deadline?

    /// Starts the watch; the folder need not exist.
    ///
    /// - Parameters:
    ///   - isTold: whether to use the kernel's notifications, which a confined process does not get, and which may be exhausted.
    ///   - interval: the time between two calls in milliseconds, where the kernel reports nothing.
    ///   - pause: the time before the first call. A process that ends earlier never opens a watch of the kernel, which takes milliseconds
    ///     to close.
    ///   - isMeant: returns whether the appearance or disappearance of an entry matters.
    ///   - onChange: called once after the pause and then after changes; several changes in a short time cause one call.
    /// - Throws: ``AtriumError`` with code `inputOutput` when the process has no descriptors or threads left.
    package init(
        _ folder: FilePath, isTold: Bool = true, interval: Int32 = 1_000, after pause: Duration = .zero,
        of isMeant: @escaping @Sendable (_ name: String, _ hasCome: Bool) -> Bool,
        onChange: @escaping @Sendable () -> Void
    ) throws(AtriumError) {
        let wake = try WakeSignal(for: folder)
        let run = { @Sendable () throws(AtriumError) in
            try DetachedThread.run {
                if case .signal = wake.sleep(for: 0) { return }
                var watcher = FolderWatcher(
                    folder: folder, isTold: isTold, wake: wake, interval: interval, isMeant: isMeant)
                watcher.run(onChange)
            }
        }
        self.wake = wake
        if pause == .zero {
            try run()
            start = nil
        } else {
            start = try DeadlineQueue.shared.after(pause / .seconds(1)) { try? run() }
        }
    }

    /// Stops the watch; a call that is in progress isn't interrupted.
    package func stop() {
        if let start { DeadlineQueue.shared.cancel(start) }
        wake.signal()
    }

    deinit { stop() }
}

extension FolderWatch {
    /// Reports that a database, such as the registry, may have been changed by any process, until the object is released.
    ///
    /// The rollback journal disappears from the database's folder with each commit. The receiver has to check for changes, so unnecessary
    /// reports only cost a comparison.
    ///
    /// - Parameters:
    ///   - database: the file, whose folders need not exist.
    ///   - isTold: whether to use the kernel's notifications.
    ///   - pause: the time before the first report.
    /// - Throws: ``AtriumError`` with code `inputOutput` when the process has no descriptors or threads left.
    public convenience init(
        database: FilePath, isTold: Bool = true, after pause: Duration = .milliseconds(500),
        onChange: @escaping @Sendable () -> Void
    ) throws(AtriumError) {
        try self.init(database.parent, isTold: isTold, after: pause) { name, hasCome in
            // A new journal means that a change isn't committed yet.
            name.hasPrefix(database.lastComponent) && !(hasCome && name.hasSuffix("-journal"))
        } onChange: {
            onChange()
        }
    }
}

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
    package func reset() {
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
