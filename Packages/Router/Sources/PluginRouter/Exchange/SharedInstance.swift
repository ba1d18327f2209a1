import PluginCore
internal import Synchronization

/// An instance that is created once, by its first caller. Other callers wait for it.
final class SharedInstance: Sendable {
    private enum State {
        case missing
        case making([CheckedContinuation<Made, Never>])
        case made(any Sendable)
    }

    /// The outcome for the waiting callers.
    private enum Made: Sendable {
        case value(any Sendable)
        case failure(any Error)
        /// The creating caller was canceled, so one of the waiting callers must create the instance.
        case again
    }

    private enum Part {
        case have(any Sendable)
        case make
        case wait
    }

    /// The instances that are being created on behalf of the current task, outermost first.
    @TaskLocal private static var underWay: [(instance: SharedInstance, name: String)] = []

    private let state = Mutex(State.missing)

    /// Returns the instance, creating it if necessary.
    ///
    /// - Throws: The errors of `make`, after which the next caller tries again; ``AtriumError`` with code `routeCycle` if creating the
    ///   instance requires the instance.
    func value(
        named name: String, _ make: @Sendable () async throws -> any Sendable
    ) async throws -> any Sendable {
        while true {
            switch part() {
            case .have(let value): return value
            case .make: return try await self.make(name, make)
            case .wait:
                try checkCycle(name)
                switch await outcome() {
                case .value(let value): return value
                case .failure(let error): throw error
                case .again: continue
                }
            }
        }
    }

    /// Decides whether the caller gets, creates or awaits the instance. Of several simultaneous callers, one creates it.
    private func part() -> Part {
        state.withLock { state in
            switch state {
            case .made(let value): return .have(value)
            case .making: return .wait
            case .missing:
                state = .making([])
                return .make
            }
        }
    }

    private func make(
        _ name: String, _ make: @Sendable () async throws -> any Sendable
    ) async throws -> any Sendable {
        do {
            let value = try await Self.$underWay.withValue(Self.underWay + [(self, name)]) { try await make() }
            finish(.made(value), telling: .value(value))
            return value
        } catch {
            finish(.missing, telling: error is CancellationError ? .again : .failure(error))
            throw error
        }
    }

    private func outcome() async -> Made {
        await withCheckedContinuation { continuation in
            let made: Made? = state.withLock { state in
                switch state {
                case .made(let value): return .value(value)
                case .missing: return .again
                case .making(let waiting):
                    state = .making(waiting + [continuation])
                    return nil
                }
            }
            if let made { continuation.resume(returning: made) }
        }
    }

    private func finish(_ next: State, telling made: Made) {
        let waiting = state.withLock { state in
            defer { state = next }
            if case .making(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume(returning: made) }
    }

    private func checkCycle(_ name: String) throws(AtriumError) {
        guard let start = Self.underWay.firstIndex(where: { $0.instance === self }) else { return }
        let path = Self.underWay[start...].map(\.name) + [name]
        throw AtriumError(.routeCycle, name, reason: "chain", ["path": .list(path)])
    }
}
