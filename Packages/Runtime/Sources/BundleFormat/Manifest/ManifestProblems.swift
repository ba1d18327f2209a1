package import PluginCore
internal import Synchronization

/// Collects the problems of a manifest while it is decoded and validated.
///
/// The number of stored problems is bounded, because a hostile manifest can have any number of them.
package final class ManifestProblems: Sendable {
    /// Gathers nothing yet.
    package init() {}

    /// The key under which a decoder carries the collector; its initializer never fails in practice.
    static let key = CodingUserInfoKey(rawValue: "ManifestProblems")

    /// The user info of a decoder that carries this collector.
    package var userInfo: [CodingUserInfoKey: any Sendable] {
        var info: [CodingUserInfoKey: any Sendable] = [:]
        if let key = Self.key { info[key] = self }
        return info
    }

    private struct Found {
        var problems: [ErrorReason] = []
        var places: Set<String> = []
        var count = 0
    }

    private let found = Mutex(Found())

    /// The stored problems in the order in which they were found, and the number of further ones.
    package var all: [ErrorReason] {
        found.withLock { found in
            let more = found.count - found.problems.count
            return more > 0 ? found.problems + [.more(more)] : found.problems
        }
    }

    /// A Boolean value that indicates whether no more problems are stored, so that hints for them need not be computed.
    var isFull: Bool { found.withLock { $0.problems.count >= ManifestLimits.problems } }

    /// Returns whether a problem has been reported at a place, so that its consequences need not be reported.
    func has(_ place: String) -> Bool {
        found.withLock { $0.places.contains(place) }
    }

    package func add(_ place: String, _ name: String, _ values: [String: ErrorReason.Value] = [:]) {
        add(place, ErrorReason(name, values))
    }

    package func add(_ place: String, _ problem: ErrorReason) {
        found.withLock { found in
            found.count += 1
            found.places.insert(place)
            if found.problems.count < ManifestLimits.problems { found.problems.append(.at(place, problem)) }
        }
    }
}

extension ErrorReason {
    /// The reason for a file of an unsupported format version.
    package static func format(_ format: Int, newest: Int) -> ErrorReason {
        ErrorReason(format > newest ? "formatTooNew" : "formatTooOld", ["format": .integer(format)])
    }

    /// The reason for a file that exceeds its limit.
    package static func tooLarge(_ size: Int, limit: Int) -> ErrorReason {
        ErrorReason("tooLarge", ["size": .integer(size), "limit": .integer(limit)])
    }

    /// The reason in place of further ones, which are only counted.
    package static func more(_ count: Int) -> ErrorReason { ErrorReason("more", ["count": .integer(count)]) }
}
