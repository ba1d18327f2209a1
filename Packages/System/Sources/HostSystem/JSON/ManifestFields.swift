package import PluginCore

/// Reads the fields of one JSON object of a file that people write, such as a manifest, independently of each other.
///
/// A field that can't be read is reported with its place, and the next one is read nevertheless. Nothing is decoded before it is asked for,
/// so the elements of a list beyond its limit cost nothing.
///
/// ```swift
/// let patterns = try ManifestFields.read(bytes, reporting: problems) { manifest in
///     manifest.objects("routes", limit: 8192) { route in route.text("pattern", isRequired: true) }
/// }
/// ```
package final class ManifestFields {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A whole file; the container remains valid after decoding.
    private struct Document: Decodable {
        let container: KeyedDecodingContainer<Key>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
    }

    /// The problems of the whole file.
    package let problems: ManifestProblems
    private let container: KeyedDecodingContainer<Key>
    /// The place of the object; empty for the whole file.
    private let place: String
    /// A Boolean value that indicates whether the names of the fields are the author's own.
    private let isMap: Bool
    private var known: [String] = []

    private init(
        _ container: KeyedDecodingContainer<Key>, at place: String, isMap: Bool = false,
        reporting problems: ManifestProblems
    ) {
        self.container = container
        self.place = place
        self.isMap = isMap
        self.problems = problems
    }

    /// Reads a file, each field of which must be known.
    ///
    /// - Throws: ``JSONError``, or `DecodingError` for a file that isn't an object.
    package static func read<Value>(
        _ bytes: [UInt8], reporting problems: ManifestProblems, _ body: (ManifestFields) -> Value
    ) throws -> Value {
        let document = try StrictJSON.decode(Document.self, from: bytes)
        return ManifestFields(document.container, at: "", reporting: problems).readAll(body)
    }

    /// Returns the place of a field for a report.
    package func place(of name: String) -> String {
        isMap ? "\(place)[\"\(name)\"]" : place.isEmpty ? name : "\(place).\(name)"
    }

    /// Reports the problem of a field.
    package func report(_ name: String, _ problem: String, _ values: [String: ErrorReason.Value] = [:]) {
        problems.add(place(of: name), problem, values)
    }

    /// Reports each name that occurs more than once in a list.
    package func reportRepeated(_ names: [String], in list: String, _ reason: String) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { report(list, reason, ["name": .text(name)]) }
    }

    /// Reports a problem of the object.
    package func report(_ problem: String) { problems.add(place, problem) }

    /// Returns whether there is a field, readable or not.
    package func contains(_ name: String) -> Bool { container.contains(Key(stringValue: name)) }

    /// Reads a number, a Boolean value, or any other value that is not checked further.
    package func value<Value: Decodable>(_ name: String, isRequired: Bool = false) -> Value? {
        read(name, isRequired, Self.expected(Value.self)) { try container.decode(Value.self, forKey: $0) }
    }

    /// Reads a value that may be of another type, too, which is no problem.
    package func value<Value: Decodable>(_ name: String, ifOf _: Value.Type) -> Value? {
        known.append(name)
        return try? container.decode(Value.self, forKey: Key(stringValue: name))
    }

    /// Reads a text of limited length.
    ///
    /// - Parameters:
    ///   - limit: the maximum length in bytes.
    ///   - reason: the name of the reason for a text of another form.
    package func text(
        _ name: String, isRequired: Bool = false, limit: Int = .max, or reason: String = "",
        where isValid: (String) -> Bool = { _ in true }
    ) -> String? {
        guard let text: String = value(name, isRequired: isRequired) else { return nil }
        if text.utf8.count > limit {
            report(name, "tooLong", ["limit": .integer(limit)])
        } else if !isValid(text) {
            report(name, reason, ["text": .text(text)])
        } else {
            return text
        }
        return nil
    }

    /// Reads a value from its text.
    package func parsed<Value: LosslessStringConvertible>(
        _ name: String, isRequired: Bool = false, limit: Int = .max, or reason: String
    ) -> Value? {
        text(name, isRequired: isRequired, limit: limit, or: reason) { Value($0) != nil }.flatMap { Value($0) }
    }

    /// Reads one of a few words, and reports any other with all of them.
    package func word<Value: RawRepresentable<String> & CaseIterable>(_ name: String, isRequired: Bool = false)
        -> Value?
    {
        guard let text = text(name, isRequired: isRequired) else { return nil }
        let value = Value(rawValue: text)
        if value == nil {
            report(name, "valueUnknown", ["text": .text(text), "known": .list(Value.allCases.map(\.rawValue))])
        }
        return value
    }

    /// Reads an object, each field of which must be known.
    ///
    /// - Parameter expected: the name of the reason for another value.
    package func object<Value>(
        _ name: String, or expected: String = "objectExpected", _ body: (ManifestFields) -> Value
    ) -> Value? {
        read(name, false, expected) { key in
            try object(container.superDecoder(forKey: key), at: place(of: name), body)
        }
    }

    /// Reads an object whose fields have names of the author's own, each of which is read by its name, in the order of the names.
    package func entries(_ name: String, _ body: (ManifestFields, String) -> Void) {
        let nested = read(name, false, "objectExpected") {
            try container.nestedContainer(keyedBy: Key.self, forKey: $0)
        }
        guard let nested else { return }
        let entries = ManifestFields(nested, at: place(of: name), isMap: true, reporting: problems)
        for key in nested.allKeys.map(\.stringValue).sorted() { body(entries, key) }
    }

    /// Reads a list of objects, each field of which must be known.
    package func objects<Value>(
        _ name: String, isRequired: Bool = false, limit: Int, _ body: (ManifestFields) -> Value?
    ) -> [Value] {
        list(name, isRequired: isRequired, of: "objectExpected", limit: limit) { try object($0, at: $1, body) }
    }

    /// Reads a list of texts.
    ///
    /// - Parameter check: called with each text and its place.
    package func texts(
        _ name: String, isRequired: Bool = false, limit: Int, _ check: (String, String) -> Void = { _, _ in }
    ) -> [String] {
        list(name, isRequired: isRequired, "stringArrayExpected", of: "stringExpected", limit: limit) { item, place in
            let text = try String(from: item)
            check(text, place)
            return text
        }
    }

    /// Reads a list, and reports each element that can't be read.
    ///
    /// - Parameters:
    ///   - element: the name of the reason for an element of another type.
    ///   - limit: the largest number of elements; further ones are not read.
    package func list<Value>(
        _ name: String, isRequired: Bool = false, _ expected: String = "arrayExpected", of element: String, limit: Int,
        _ value: (any Decoder, String) throws -> Value?
    ) -> [Value] {
        let list = read(name, isRequired, expected) { try container.nestedUnkeyedContainer(forKey: $0) }
        guard var list else { return [] }
        var values: [Value] = []
        while !list.isAtEnd {
            let place = problems.place("\(place(of: name))[\(list.currentIndex)]")
            guard list.currentIndex < limit else {
                report(name, "tooManyElements", ["limit": .integer(limit)])
                break
            }
            guard let item = try? list.superDecoder() else { break }
            do {
                if let value = try value(item, place) { values.append(value) }
            } catch {
                problems.add(place, element)
            }
        }
        return values
    }

    /// Reads an object, each field of which must be known.
    package func object<Value>(_ item: any Decoder, at place: String, _ body: (ManifestFields) -> Value) throws -> Value
    {
        try ManifestFields(item.container(keyedBy: Key.self), at: place, reporting: problems).readAll(body)
    }

    private func read<Value>(
        _ name: String, _ isRequired: Bool, _ expected: @autoclosure () -> String, _ body: (Key) throws -> Value
    ) -> Value? {
        known.append(name)
        guard contains(name) else {
            if isRequired { report(name, "fieldMissing") }
            return nil
        }
        let value = try? body(Key(stringValue: name))
        if value == nil { report(name, expected()) }
        return value
    }

    private static func expected(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "stringExpected"
        case is Int.Type: "integerExpected"
        case is Double.Type: "numberExpected"
        case is Bool.Type: "boolExpected"
        default: "valueExpected"
        }
    }

    /// Reads all fields, and reports every unknown one, because a misspelled one would have no effect otherwise.
    private func readAll<Value>(_ body: (ManifestFields) -> Value) -> Value {
        let value = body(self)
        for key in container.allKeys.map(\.stringValue).sorted() where !known.contains(key) {
            let nearest = problems.isFull ? nil : Nearest.words(to: key, in: known).first
            problems.add(place(of: key), .unknownField(nearest: nearest))
        }
        return value
    }
}
