internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// Watches a folder on the thread that runs it; as long as the folder is not there, the nearest one above it that is.
struct FolderWatcher: ~Copyable {
    /// How long nothing is told after something was, so that a burst is two.
    private static let pause: Int32 = 20
    /// How often the folder is looked at where the kernel does not tell.
    private static let interval: Int32 = 1_000

    /// What the kernel tells of: a folder's number, and the name in it that leads on to the folder that is meant.
    private struct Place {
        let number: Int32
        let way: String?
    }

    private let folder: FilePath
    private let wake: WakeSignal
    private let isMeant: (_ name: String, _ hasCome: Bool) -> Bool
    /// Negative where the kernel does not tell.
    private var descriptor: Int32
    private var place: Place?

    /// - Parameters:
    ///   - folder: what is watched.
    ///   - isTold: whether to ask the kernel.
    ///   - wake: ends it.
    ///   - isMeant: whether it matters that something of that name came, or went.
    init(
        _ folder: FilePath, isTold: Bool, wake: WakeSignal,
        _ isMeant: @escaping (_ name: String, _ hasCome: Bool) -> Bool
    ) {
        self.folder = folder
        self.wake = wake
        self.isMeant = isMeant
        descriptor = isTold ? csystem_watch_open() : -1
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Calls `onChange` at once, and whenever something that matters may have come or gone, until it is woken for good.
    mutating func run(_ onChange: () -> Void) {
        settle()
        repeat { onChange() } while sleep()
    }

    /// Sleeps until there is something to tell; `false` when it is over.
    private mutating func sleep() -> Bool {
        if case .signal = wake.sleep(for: Self.pause) { return false }
        while true {
            switch wake.sleep(until: descriptor, for: descriptor < 0 ? Self.interval : nil) {
            case .signal: return false
            case .time: return true
            case .descriptor: if take() { return true }
            }
        }
    }

    /// Takes what the kernel has to tell; whether any of it matters.
    private mutating func take() -> Bool {
        var events: [(event: Int32, name: String)] = []
        withUnsafeMutablePointer(to: &events) { events in
            var context = Context(number: place?.number, events: events)
            csystem_watch_take(
                descriptor,
                { number, event, name, context in
                    let context = context.assumingMemoryBound(to: Context.self).pointee
                    // Of a folder that is not watched any more; a loss that is nobody's concerns all.
                    guard number == context.number || number < 0 else { return }
                    context.events.pointee.append((event, String(cString: name)))
                }, &context)
        }
        guard let way = place?.way else {
            if events.contains(where: { $0.event == csystem_watch_lost.rawValue }) {
                settle()
                return true
            }
            return events.contains { isMeant($0.name, $0.event == csystem_watch_came.rawValue) }
        }
        guard events.contains(where: { $0.event == csystem_watch_lost.rawValue || $0.name == way }) else {
            return false
        }
        settle()
        return true
    }

    private struct Context {
        let number: Int32?
        let events: UnsafeMutablePointer<[(event: Int32, name: String)]>
    }

    /// Has the kernel tell of the folder, or of the nearest one above it that is there.
    private mutating func settle() {
        guard descriptor >= 0 else { return }
        if let place { csystem_watch_remove(descriptor, place.number) }
        place = nil
        // A folder may come between our look at it and our look at the one above, but not for ever.
        for _ in 0..<16 {
            guard let found = nearest() else { break }
            place = found.place
            // What can't be looked at is told by whoever reads it.
            guard let next = found.next, (try? FileSystem.item(at: next)) != nil else { return }
            csystem_watch_remove(descriptor, found.place.number)
        }
        close(descriptor)
        descriptor = -1
    }

    /// The folder, or the nearest above it, and then what lies between.
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
