import PluginCore

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
