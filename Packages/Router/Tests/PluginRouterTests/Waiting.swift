import PluginCore
import Synchronization

/// A latch, which stays closed until it is opened.
final class Latch: Sendable {
    private let openings = Notes()

    func open() { openings.add("open") }

    func passed() async { await openings.reached(1) }
}

/// The recorded notes of several tasks, in order.
final class Notes: Sendable {
    private struct State {
        var notes: [String] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var all: [String] { state.withLock { $0.notes } }

    func add(_ note: String) {
        let waiting = state.withLock { state in
            state.notes.append(note)
            let count = state.notes.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }
        }
        for waiter in waiting { waiter.continuation.resume() }
    }

    /// Waits until there are a given number of notes.
    func reached(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.notes.count < count { state.waiting.append((count, continuation)) }
                return state.notes.count >= count
            }
            if isMet { continuation.resume() }
        }
    }
}

/// Returns the code of the Atrium error that a closure throws, or nil.
func errorCode<R>(_ body: () async throws -> R) async -> AtriumError.Code? {
    await refusal(body)?.code
}

/// Returns the Atrium error that a closure throws, or nil.
func refusal<R>(_ body: () async throws -> R) async -> AtriumError? {
    await failure(body) as? AtriumError
}

/// Returns the error that a closure throws, or nil.
func failure<R>(_ body: () async throws -> R) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// A barrier that is closed until a test opens it, and that reports when a task arrives.
final class AsyncGate: Sendable {
    private let (opened, reached) = (Latch(), Latch())

    func pass() async {
        reached.open()
        await opened.passed()
    }

    func openUp() { opened.open() }

    func arrival() async { await reached.passed() }
}

/// A value that is set later.
final class Slot<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)
    var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
