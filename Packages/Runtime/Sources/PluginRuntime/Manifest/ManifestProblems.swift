internal import Synchronization

/// Gathers what is wrong with a manifest while it is decoded and judged.
///
/// Only as many problems are kept as somebody reads: who is hostile may cause any number.
final class ManifestProblems: Sendable {
    /// Where a decoder carries the collector. The initializer is failable in name only.
    static let key = CodingUserInfoKey(rawValue: "ManifestProblems")

    /// What a decoder gets that carries this collector.
    var userInfo: [CodingUserInfoKey: any Sendable] {
        var info: [CodingUserInfoKey: any Sendable] = [:]
        if let key = Self.key { info[key] = self }
        return info
    }

    private struct Found {
        var lines: [String] = []
        var places: Set<String> = []
        var count = 0
    }

    private let found = Mutex(Found())

    /// The problems in the order they were found, and how many more there are.
    var all: [String] {
        found.withLock { found in
            let more = found.count - found.lines.count
            return more > 0 ? found.lines + ["and \(more) more"] : found.lines
        }
    }

    /// A Boolean value that indicates whether no more are kept, so that what only makes a problem clearer need not be looked for.
    var isFull: Bool { found.withLock { $0.lines.count >= ManifestLimits.problems } }

    /// Returns whether something is wrong there already, so that what follows from it need not be told.
    func has(_ place: String) -> Bool {
        found.withLock { $0.places.contains(place) }
    }

    func add(_ place: String, _ problem: String) {
        found.withLock { found in
            found.count += 1
            found.places.insert(place)
            if found.lines.count < ManifestLimits.problems { found.lines.append("\(place): \(problem)") }
        }
    }
}
