internal import CSystem
import Glibc
package import PluginCore

/// Watches a folder, or its nearest existing parent until the folder exists, on the thread that runs it.
package struct FolderWatcher: ~Copyable {
    /// The pause after a notification in milliseconds, so that a burst of changes causes two notifications.
    private static let pause: Int32 = 20

    /// The folder watched by the kernel, and the entry in it that leads to the intended folder.
    private struct Place {
        let number: Int32
        let way: String?
    }

    private let folder: FilePath
    private let wake: WakeSignal
    private let interval: Int32
    private let isMeant: (_ name: String, _ hasCome: Bool) -> Bool
    /// The descriptor of the watch; negative where the kernel doesn't report changes.
    private var descriptor: Int32
    private var place: Place?

    /// Creates a watcher.
    ///
    /// - Parameters:
    ///   - folder: the folder to watch.
    ///   - isTold: whether to use the kernel's notifications.
    ///   - wake: ends the watch.
    ///   - interval: the time between checks in milliseconds, where the kernel doesn't report changes.
    ///   - isMeant: returns whether the appearance or disappearance of an entry matters.
    package init(
        _ folder: FilePath, isTold: Bool, wake: WakeSignal, interval: Int32 = 1_000,
        _ isMeant: @escaping (_ name: String, _ hasCome: Bool) -> Bool
    ) {
        self.folder = folder
        self.wake = wake
        self.interval = interval
        self.isMeant = isMeant
        descriptor = isTold ? csystem_watch_open() : -1
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Calls a closure immediately and after each change that may matter, until the wake signal is given.
    package mutating func run(_ onChange: () -> Void) {
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
        var events: [(event: Int32, name: String)] = []
        withUnsafeMutablePointer(to: &events) { events in
            var context = Context(number: place?.number, events: events)
            csystem_watch_take(
                descriptor,
                { number, event, name, context in
                    let context = context.assumingMemoryBound(to: Context.self).pointee
                    // Ignore events of folders that are no longer watched; an overflow without a folder concerns all.
                    guard number == context.number || number < 0 else { return }
                    context.events.pointee.append((event, String(cString: name)))
                }, &context)
        }
        guard let way = place?.way else {
            if events.contains(where: { $0.event == csystem_watch_lost.rawValue }) {
                watchNearestFolder()
                return true
            }
            return events.contains { isMeant($0.name, $0.event == csystem_watch_came.rawValue) }
        }
        guard events.contains(where: { $0.event == csystem_watch_lost.rawValue || $0.name == way }) else {
            return false
        }
        watchNearestFolder()
        return true
    }

    private struct Context {
        let number: Int32?
        let events: UnsafeMutablePointer<[(event: Int32, name: String)]>
    }

    /// Watches the folder, or its nearest existing parent.
    private mutating func watchNearestFolder() {
        guard descriptor >= 0 else { return }
        if let place { csystem_watch_remove(descriptor, place.number) }
        place = nil
        // A folder may be created between the attempts to watch it and its parent, but not indefinitely.
        for _ in 0..<16 {
            guard let found = nearest() else { break }
            place = found.place
            // An item that can't be examined is reported by its reader.
            guard let next = found.next, (try? FileSystem.item(at: next)) != nil else { return }
            csystem_watch_remove(descriptor, found.place.number)
        }
        close(descriptor)
        descriptor = -1
    }

    /// Watches the folder or its nearest existing parent, and returns that with the next component of the path.
    private func nearest() -> (place: Place, next: FilePath?)? {
        var (path, next): (FilePath, FilePath?) = (folder, nil)
        while true {
            let number = csystem_watch_add(descriptor, path.string)
            if number >= 0 { return (Place(number: number, way: next?.lastComponent), next) }
            guard errno == ENOENT || errno == ENOTDIR, path.parent != path else { return nil }
            (path, next) = (path.parent, path)
        }
    }
}
