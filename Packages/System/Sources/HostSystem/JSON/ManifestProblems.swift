package import PluginCore

/// Collects the problems of a manifest, or of another file that people write, while it is read.
///
/// The number of stored problems is bounded, because a hostile file can have any number of them.
public final class ManifestProblems {
    /// The maximum number of problems that are listed; further ones are only counted.
    private static let limit = 50

    private var stored: [ErrorReason] = []
    private var count = 0
    /// The names of places that the author's file does not have, by the places in the file that is read.
    package var placeNames: [String: String] = [:]

    /// Creates a collection without problems.
    package init() {}

    /// The stored problems in the order in which they were found, and the number of further ones.
    package var all: [ErrorReason] { count > stored.count ? stored + [.more(count - stored.count)] : stored }

    /// A Boolean value that indicates whether no more problems are stored, so that hints for them need not be computed.
    package var isFull: Bool { stored.count >= Self.limit }

    /// Returns a place as a report names it.
    func place(_ place: String) -> String { placeNames[place] ?? place }

    package func add(_ place: String, _ name: String, _ values: [String: ErrorReason.Value] = [:]) {
        add(place, ErrorReason(name, values))
    }

    /// Adds the problem of a word that is not among the known ones, with the nearest of them.
    package func addUnknown(_ text: String, of known: [String], at place: String) {
        let nearest = isFull ? nil : Nearest.words(to: text, in: known).first
        var values: [String: ErrorReason.Value] = ["text": .text(text), "known": .list(known)]
        if let nearest { values["nearest"] = .text(nearest) }
        add(place, nearest == nil ? "valueUnknown" : "valueMisspelled", values)
    }

    package func add(_ place: String, _ problem: ErrorReason) {
        count += 1
        if !isFull { stored.append(.at(place, problem)) }
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
