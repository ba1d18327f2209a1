import Synchronization

/// Lines that many may add to.
final class Lines: Sendable {
    private let collected = Mutex<[String]>([])
    var all: [String] { collected.withLock { $0 } }
    func add(_ line: String) { collected.withLock { $0.append(line) } }
}
