#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

private let lastSerial = Atomic<Int>(0)

/// A name that no other call of any living process gives.
func processSerial() -> String {
    "\(getpid())-\(lastSerial.add(1, ordering: .relaxed).newValue)"
}
