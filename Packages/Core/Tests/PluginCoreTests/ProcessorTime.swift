import Glibc
import PluginCore
import Testing

/// Returns the processor time that the current thread spends in a closure, which does not depend on the load of the machine.
func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Returns the code of the Atrium error that a closure throws, or nil.
func errorCode<R>(_ body: () throws -> R) -> AtriumError.Code? {
    #expect(throws: AtriumError.self) { try body() }?.code
}

/// Returns the Atrium error that a closure throws, which it must.
func refusal<R>(_ body: () async throws -> R) async -> AtriumError? {
    await #expect(throws: AtriumError.self) { try await body() }
}
