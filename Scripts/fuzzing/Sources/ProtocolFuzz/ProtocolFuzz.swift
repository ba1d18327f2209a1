import Glibc

/// Lets a hostile extension send arbitrary bytes, frames and descriptors to a host, as the input says.
///
/// Nothing may trap or wait forever. When the extension has gone, all requests of the host have ended, and the host has as many open
/// descriptors as before.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = hasStartedThreads
    let before = nextDescriptor()
    let script = HostileScript(UnsafeBufferPointer(start: bytes, count: count))
    do {
        let host = try FuzzedHost()
        script.run(against: host)
        host.end()
    } catch {
        demand(false, "a host can be created: \(error)")
    }
    // The replies to requests that were just received hold their descriptors until they notice the end.
    for _ in 0..<40_000 where nextDescriptor() > before { usleep(50) }
    demand(nextDescriptor() <= before, "the host closes all descriptors")
    return 0
}

/// The threads of the process open descriptors when they start, which must not count as the host's.
private let hasStartedThreads: Bool = {
    for _ in 0..<2 {
        guard let host = try? FuzzedHost() else { return false }
        host.begin()
        host.end()
    }
    usleep(100_000)
    return true
}()

/// Returns the number that the next opened file gets.
private func nextDescriptor() -> Int32 {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    close(file)
    return file
}

func demand(_ holds: Bool, _ promise: @autoclosure () -> String) {
    guard holds else { fatalError("broken: \(promise())") }
}
