internal import Synchronization

/// Gathers what is wrong with a manifest while it is decoded and judged.
final class ManifestProblems: Sendable {
    /// Where a decoder carries the collector. The initializer is failable in name only.
    static let key = CodingUserInfoKey(rawValue: "ManifestProblems")

    private let found = Mutex<[String]>([])

    /// All problems, in the order they were found.
    var all: [String] { found.withLock { $0 } }

    /// Whether something is wrong there already, so that what follows from it need not be told.
    func has(_ place: String) -> Bool {
        found.withLock { $0.contains { $0.hasPrefix(place + ": ") } }
    }

    func add(_ place: String, _ problem: String) {
        found.withLock { $0.append("\(place): \(problem)") }
    }
}
