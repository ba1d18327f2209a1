import Synchronization

/// A list of lines that several tasks can append to.
final class Lines: Sendable {
    private let collected = Mutex<[String]>([])
    var all: [String] { collected.withLock { $0 } }
    func add(_ line: String) { collected.withLock { $0.append(line) } }
}
