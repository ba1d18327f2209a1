package import PluginCore
import Synchronization

/// Reads the fields of one JSON object of a manifest independently of each other.
///
/// A field that can't be read is reported, and the next one is read nevertheless.
package struct ManifestFields {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let container: KeyedDecodingContainer<Key>
    private let problems: ManifestProblems?
    private var known: [String] = []

    package init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: Key.self)
        problems = ManifestProblems.key.flatMap { decoder.userInfo[$0] } as? ManifestProblems
    }

    /// Reads a required field, and reports it when it is missing.
    package mutating func required<T: Decodable>(_ name: String) -> T? {
        if !container.contains(Key(stringValue: name)) {
            problems?.add(place(of: name), "fieldMissing")
        }
        return optional(name)
    }

    /// Reads an optional field.
    ///
    /// - Parameter expected: the name of the reason for a value of another type; `nil` for the one that the type has.
    package mutating func optional<T: Decodable>(_ name: String, of expected: String? = nil) -> T? {
        known.append(name)
        let key = Key(stringValue: name)
        guard container.contains(key) else { return nil }
        do {
            return try container.decode(T.self, forKey: key)
        } catch {
            problems?.add(place(of: name), expected ?? Self.expected(T.self))
            return nil
        }
    }

    /// Reads a required list, and reports it when it is missing.
    package mutating func requiredList<T: Decodable>(_ name: String, of expected: String, limit: Int) -> [T] {
        if !container.contains(Key(stringValue: name)) {
            problems?.add(place(of: name), "fieldMissing")
        }
        return list(name, of: expected, limit: limit)
    }

    /// Reads a list, and reports each element that can't be read.
    ///
    /// - Parameters:
    ///   - expected: the name of the reason for an element of another type.
    ///   - limit: the largest number of elements; further ones are not read.
    mutating func list<T: Decodable>(_ name: String, of expected: String = "objectExpected", limit: Int) -> [T] {
        known.append(name)
        let key = Key(stringValue: name)
        guard container.contains(key) else { return [] }
        guard var items = try? container.nestedUnkeyedContainer(forKey: key) else {
            problems?.add(place(of: name), T.self == String.self ? "stringArrayExpected" : "arrayExpected")
            return []
        }
        var read: [T] = []
        while !items.isAtEnd {
            let index = items.currentIndex
            guard index < limit else {
                problems?.add(place(of: name), "tooManyElements", ["limit": .integer(limit)])
                break
            }
            guard let item = try? items.superDecoder() else { break }
            do {
                read.append(try T(from: item))
            } catch {
                problems?.add("\(place(of: name))[\(index)]", expected)
            }
        }
        return read
    }

    /// Reads a list that may be missing, which differs from an empty one.
    mutating func optionalList<T: Decodable>(_ name: String, of what: String, limit: Int) -> [T]? {
        let items: [T] = list(name, of: what, limit: limit)
        return container.contains(Key(stringValue: name)) ? items : nil
    }

    /// Reports every unknown field, because a misspelled one would have no effect otherwise.
    package func reportUnknown() {
        for key in container.allKeys.map(\.stringValue).sorted() where !known.contains(key) {
            let nearest = problems?.isFull == false ? Nearest.words(to: key, in: known).first : nil
            problems?.add(place(of: key), .unknownField(nearest: nearest))
        }
    }

    private func place(of name: String) -> String {
        var place = ""
        for key in container.codingPath {
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += (place.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return place.isEmpty ? name : place + "." + name
    }

    private static func expected(_ type: Any.Type) -> String {
        if type == String.self { return "stringExpected" }
        if type == Int.self { return "integerExpected" }
        if type == Double.self { return "numberExpected" }
        if type == Bool.self { return "boolExpected" }
        if type == [String].self { return "stringArrayExpected" }
        return "valueExpected"
    }
}

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
    package var isFull: Bool { found.withLock { $0.problems.count >= ManifestLimits.problems } }

    /// Returns whether a problem has been reported at a place, so that its consequences need not be reported.
    package func has(_ place: String) -> Bool {
        found.withLock { $0.places.contains(place) }
    }

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
