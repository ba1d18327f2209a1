internal import Synchronization

/// An instance that is created once, by its first caller. Other callers wait for it.
final class SharedInstance: Sendable {
    /// The instance, which may still be in the making, or nil if nobody has tried to create it since the last failure.
    private let outcome = Mutex<FirstOutcome<any Sendable>?>(nil)

    /// Returns the instance, creating it if necessary.
    ///
    /// It must not require itself, which the chain of requests finds out.
    ///
    /// - Throws: The errors of `make`, after which the next caller tries again.
    func value(_ make: @Sendable () async throws -> any Sendable) async throws -> any Sendable {
        while true {
            // Of several simultaneous callers, one creates the instance.
            let (outcome, isFirst) = outcome.withLock { outcome in
                if let outcome { return (outcome, false) }
                let new = FirstOutcome<any Sendable>()
                outcome = new
                return (new, true)
            }
            do {
                guard isFirst else { return try await outcome.value() }
            } catch is CancellationError {
                // The creating caller was canceled, so one of the waiting callers must create the instance.
                continue
            }
            do {
                let value = try await make()
                outcome.resolve(.success(value))
                return value
            } catch {
                self.outcome.withLock { $0 = nil }
                outcome.resolve(.failure(error))
                throw error
            }
        }
    }
}
