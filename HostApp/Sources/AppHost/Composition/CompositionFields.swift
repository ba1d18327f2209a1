import PluginCore

/// A reader for the fields of one JSON object in a composition file.
///
/// A missing field, an unknown field or a value of the wrong type is recorded as a problem with its path, and reading continues.
struct CompositionFields {
    private let place: String
    private let values: [String: JSONValue]
    private var known: [String] = []
    private(set) var problems: [ErrorReason] = []

    /// Creates a reader for a value.
    ///
    /// - Parameter place: the path of the object, such as `bundles[0]`; empty for the document.
    init(_ value: JSONValue, at place: String) {
        self.place = place
        guard case .object(let values) = value else {
            self.values = [:]
            let problem = ErrorReason("objectExpected")
            problems = [place.isEmpty ? problem : .at(place, problem)]
            isObject = false
            return
        }
        self.values = values
        isObject = true
    }

    private let isObject: Bool

    mutating func number(_ name: String) -> Double? {
        guard let value = required(name) else { return nil }
        guard case .number(let number) = value else { return refuse(name, "numberExpected") }
        return number
    }

    mutating func text(_ name: String) -> String? {
        guard let value = required(name) else { return nil }
        guard case .string(let text) = value else { return refuse(name, "stringExpected") }
        return text
    }

    mutating func optionalText(_ name: String) -> String? {
        known.append(name)
        return values[name] == nil ? nil : text(name)
    }

    /// Reads an optional field of any type.
    mutating func optional(_ name: String) -> JSONValue? {
        known.append(name)
        return values[name]
    }

    mutating func list(_ name: String) -> [JSONValue] {
        guard let value = required(name) else { return [] }
        guard case .array(let elements) = value else { return refuse(name, "arrayExpected") ?? [] }
        return elements
    }

    /// Reads an optional integer field.
    mutating func optionalInteger(_ name: String) -> Int? {
        known.append(name)
        guard let value = values[name] else { return nil }
        guard case .number(let number) = value, let whole = Int(exactly: number) else {
            return refuse(name, "integerExpected")
        }
        return whole
    }

    /// Reads an optional field with a list of strings.
    mutating func texts(_ name: String) -> [String] {
        known.append(name)
        guard let value = values[name] else { return [] }
        guard case .array(let elements) = value else { return refuse(name, "stringArrayExpected") ?? [] }
        return elements.enumerated().compactMap { index, element in
            if case .string(let text) = element { return text }
            return refuse("\(name)[\(index)]", "stringExpected")
        }
    }

    /// Reads an optional object field, sorted by name.
    mutating func members(_ name: String) -> [(key: String, value: JSONValue)] {
        known.append(name)
        guard let value = values[name] else { return [] }
        guard case .object(let members) = value else { return refuse(name, "objectExpected") ?? [] }
        return members.sorted { $0.key < $1.key }
    }

    /// Returns the path of a value inside an object field.
    func place(of key: String, in name: String) -> String { "\(path(name))[\"\(key)\"]" }

    /// Adds the problems of a nested value.
    mutating func add(_ inner: [ErrorReason]) {
        problems += inner
    }

    /// Adds a problem of the field `name`.
    mutating func add(_ name: String, _ problem: String, _ values: [String: ErrorReason.Value] = [:]) {
        add(name, ErrorReason(problem, values))
    }

    /// Adds a problem of the field `name`.
    mutating func add(_ name: String, _ problem: ErrorReason) {
        problems.append(.at(path(name), problem))
    }

    /// Adds a problem for every field that was not read, because a misspelled field would otherwise be ignored silently.
    mutating func reportUnknown() {
        for name in values.keys.sorted() where !known.contains(name) {
            add(name, .unknownField(nearest: Nearest.words(to: name, in: known).first))
        }
    }

    private mutating func required(_ name: String) -> JSONValue? {
        known.append(name)
        guard let value = values[name] else {
            if isObject { add(name, "fieldMissing") }
            return nil
        }
        return value
    }

    private mutating func refuse<T>(_ name: String, _ problem: String) -> T? {
        add(name, problem)
        return nil
    }

    private func path(_ name: String) -> String {
        place.isEmpty ? name : "\(place).\(name)"
    }
}
