import HostSystem
import PluginCore
import Processes
import Synchronization

/// The observers of a group's changes in this process, and the watch that notices the changes.
///
/// The lock of a file disappears after each change, which the kernel reports. Then the stamps of all files are compared, because the kernel
/// may report several changes as one, and a confined process only looks at intervals.
final class AppGroupObservers: Sendable {
    /// The time between two looks in milliseconds, where the kernel reports nothing.
    private static let interval: Int32 = 250

    private struct State {
        /// The observers by number. An observer cannot be looked at while the state is locked, because its end changes the state.
        var observers: [Int: Weak] = [:]
        var last = 0
        var watch: FolderWatch?
        var stamps: [AppGroupChange: FileStamp] = [:]
        var isEnded = false
    }

    private struct Weak {
        weak var observer: AppGroupObserver?
    }

    private let layout: AppGroupLayout
    private let isTold: Bool
    private let state = Mutex(State())

    init(_ layout: AppGroupLayout, isTold: Bool) {
        self.layout = layout
        self.isTold = isTold
    }

    deinit { end() }

    /// Returns a sequence of the changes from now on, and starts the watch for the first one.
    func add() throws -> AsyncStream<AppGroupChange> {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let observer = AppGroupObserver { [weak self] in self?.remove(number) }
        try state.withLock { state in
            guard !state.isEnded else {
                throw AtriumError(.bundleUnavailable, layout.root.lastComponent, reason: "unloaded")
            }
            if state.watch == nil {
                state.stamps = try layout.stamps()
                state.watch = try FolderWatch(layout.coordination, isTold: isTold, interval: Self.interval) {
                    _, hasCome in
                    !hasCome
                } onChange: { [weak self] in
                    self?.look()
                }
            }
            state.observers[number] = Weak(observer: observer)
        }
        return AsyncStream {
            await observer.next()
        } onCancel: {
            observer.end()
        }
    }

    /// A Boolean value that indicates whether there are sequences, and so a watch.
    var isWatching: Bool { state.withLock { $0.watch != nil } }

    /// Ends all sequences.
    func end() {
        let observers = state.withLock { state in
            defer { state = State(isEnded: true) }
            return state.observers.values
        }
        for weak in observers { weak.observer?.end() }
    }

    /// Compares the stamps, and passes on what has changed.
    private func look() {
        // The next look finds what an unreadable folder hides now.
        guard let stamps = try? layout.stamps() else { return }
        let (changes, observers) = state.withLock { state in
            guard state.watch != nil else { return ([AppGroupChange](), state.observers.values) }
            let changes = Set(stamps.keys).union(state.stamps.keys).filter { stamps[$0] != state.stamps[$0] }
            state.stamps = stamps
            return (Array(changes), state.observers.values)
        }
        if changes.isEmpty { return }
        for weak in observers { weak.observer?.add(changes) }
    }

    /// Removes an observer, and stops the watch after the last one.
    private func remove(_ number: Int) {
        state.withLock { state in
            state.observers[number] = nil
            if state.observers.isEmpty { state.watch = nil }
        }
    }
}

/// The changes that one sequence has not returned yet.
final class AppGroupObserver: Sendable {
    private let pending = Mutex<[AppGroupChange]>([])
    /// Has an element when there may be new changes, and ends with the sequence.
    private let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let onDeinit: @Sendable () -> Void

    init(onDeinit: @escaping @Sendable () -> Void) {
        self.onDeinit = onDeinit
    }

    deinit { onDeinit() }

    func add(_ changes: [AppGroupChange]) {
        pending.withLock { pending in pending += changes.filter { !pending.contains($0) } }
        if case .terminated = signal.yield() { end() }
    }

    /// Waits for the next change; `nil` after the end.
    func next() async -> AppGroupChange? {
        if let change = take() { return change }
        for await _ in signals {
            if let change = take() { return change }
        }
        return nil
    }

    private func take() -> AppGroupChange? { pending.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func end() {
        signal.finish()
        pending.withLock { $0 = [] }
    }
}
