import Glibc
import PluginCore

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
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? AtriumError)?.code
    }
}
