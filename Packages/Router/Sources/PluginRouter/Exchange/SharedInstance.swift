import PluginCore
internal import Synchronization

/// An instance that is created once, by its first caller. Other callers wait for it.
final class SharedInstance: Sendable {
    /// The instances that are being created on behalf of the current task, outermost first.
    @TaskLocal private static var underWay: [(instance: SharedInstance, name: String)] = []

    /// The instance, which may still be in the making, or nil if nobody has tried to create it since the last failure.
    private let outcome = Mutex<FirstOutcome<any Sendable>?>(nil)

    /// Returns the instance, creating it if necessary.
    ///
    /// - Throws: The errors of `make`, after which the next caller tries again; ``AtriumError`` with code `routeCycle` if creating the
    ///   instance requires the instance.
    func value(
        named name: String, _ make: @Sendable () async throws -> any Sendable
    ) async throws -> any Sendable {
        while true {
            // Of several simultaneous callers, one creates the instance.
            let (outcome, isFirst) = outcome.withLock { outcome in
                if let outcome { return (outcome, false) }
                let new = FirstOutcome<any Sendable>()
                outcome = new
                return (new, true)
            }
            if isFirst { return try await self.make(name, outcome, make) }
            if outcome.known == nil { try checkCycle(name) }
            do {
                return try await outcome.value()
            } catch is CancellationError {
                // The creating caller was canceled, so one of the waiting callers must create the instance.
                continue
            }
        }
    }

    private func make(
        _ name: String, _ outcome: FirstOutcome<any Sendable>, _ make: @Sendable () async throws -> any Sendable
    ) async throws -> any Sendable {
        do {
            let value = try await Self.$underWay.withValue(Self.underWay + [(self, name)]) { try await make() }
            outcome.resolve(.success(value))
            return value
        } catch {
            self.outcome.withLock { $0 = nil }
            outcome.resolve(.failure(error))
            throw error
        }
    }

    private func checkCycle(_ name: String) throws(AtriumError) {
        guard let start = Self.underWay.firstIndex(where: { $0.instance === self }) else { return }
        let path = Self.underWay[start...].map(\.name) + [name]
        throw AtriumError(.routeCycle, name, reason: "chain", ["path": .list(path)])
    }
}
