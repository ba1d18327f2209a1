import Glibc
import Synchronization

private let lastSerial = Atomic<Int>(0)

/// Returns a name that is unique among all calls of all living processes.
package func processSerial() -> String {
    "\(getpid())-\(lastSerial.add(1, ordering: .relaxed).newValue)"
}
