import PluginCore

/// A reader for the fields of one JSON object in a composition file.
///
/// A missing field, an unknown field or a value of the wrong type is recorded as a problem with its path, and reading continues.
struct CompositionFields {
    private let place: String
    /// The members; `nil` for a value that is not an object.
    private let values: [String: JSONValue]?
    private var known: [String] = []
    private var problems: [ErrorReason] = []

    /// Creates a reader for a value.
    ///
    /// - Parameter place: the path of the object, such as `bundles[0]`; empty for the document.
    private init(_ value: JSONValue, at place: String) {
        self.place = place
        values = value.members
        guard values == nil else { return }
        let problem = ErrorReason("objectExpected")
        problems = [place.isEmpty ? problem : .at(place, problem)]
    }

    /// Reads a document, and reports every problem at once, each with its path.
    ///
    /// - Parameters:
    ///   - name: the name of the file, for errors.
    ///   - code: the code of the error.
    ///   - tooNew: the reason for an unknown format version, with which the rest of the file cannot be validated.
    static func read<Document>(
        _ bytes: [UInt8], of name: String, _ code: AtriumError.Code, tooNew: String,
        _ body: (inout CompositionFields) -> Document
    ) throws(AtriumError) -> Document {
        let value: JSONValue
        do {
            value = try StrictJSON.decode(JSONValue.self, from: bytes)
        } catch {
            throw AtriumError(code, name, reason: .verbatim(StrictJSON.finding(error)))
        }
        var fields = CompositionFields(value, at: "")
        if let version = fields.value("formatVersion", isRequired: true, "numberExpected", \.number), version != 1 {
            throw AtriumError(code, name, problems: [.at("formatVersion", ErrorReason(tooNew, ["expected": 1]))])
        }
        let document = body(&fields)
        fields.reportUnknown()
        guard fields.problems.isEmpty else { throw AtriumError(code, name, problems: fields.problems) }
        return document
    }

    mutating func text(_ name: String) -> String? { value(name, isRequired: true, "stringExpected", \.text) }

    mutating func optionalText(_ name: String) -> String? { value(name, "stringExpected", \.text) }

    /// Reads an optional field of any type.
    mutating func optional(_ name: String) -> JSONValue? { value(name, "", \.self) }

    mutating func list(_ name: String) -> [JSONValue] {
        value(name, isRequired: true, "arrayExpected", \.elements) ?? []
    }

    /// Reads an optional integer field.
    mutating func optionalInteger(_ name: String) -> Int? {
        value(name, "integerExpected") { $0.number.flatMap { Int(exactly: $0) } }
    }

    /// Reads an optional field with a list of strings.
    mutating func texts(_ name: String) -> [String] {
        (value(name, "stringArrayExpected", \.elements) ?? []).enumerated().compactMap { index, element in
            if element.text == nil { add("\(name)[\(index)]", "stringExpected") }
            return element.text
        }
    }

    /// Reads an optional object field, sorted by name.
    mutating func members(_ name: String) -> [(key: String, value: JSONValue)] {
        (value(name, "objectExpected", \.members) ?? [:]).sorted { $0.key < $1.key }
    }

    /// Reads an object in the field `name`, of which each field must be known.
    mutating func object<Result>(
        _ object: JSONValue, in name: String, _ read: (inout CompositionFields) -> Result
    ) -> Result {
        var fields = CompositionFields(object, at: path(name))
        let result = read(&fields)
        fields.reportUnknown()
        problems += fields.problems
        return result
    }

    private mutating func value<Value>(
        _ name: String, isRequired: Bool = false, _ expected: String, _ read: (JSONValue) -> Value?
    ) -> Value? {
        known.append(name)
        guard let value = values?[name] else {
            if isRequired, values != nil { add(name, "fieldMissing") }
            return nil
        }
        guard let result = read(value) else {
            add(name, expected)
            return nil
        }
        return result
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
    private mutating func reportUnknown() {
        for name in (values ?? [:]).keys.sorted() where !known.contains(name) {
            add(name, .unknownField(nearest: Nearest.words(to: name, in: known).first))
        }
    }

    private func path(_ name: String) -> String {
        place.isEmpty ? name : "\(place).\(name)"
    }
}

/// A JSON value of any type, decoded before it is validated; one that is neither of these is a Boolean value or null.
struct JSONValue: Decodable {
    private(set) var text: String?
    private(set) var members: [String: JSONValue]?
    private(set) var elements: [JSONValue]?
    private(set) var number: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each failed attempt makes an error, so what is most frequent comes first.
        text = try? container.decode(String.self)
        if text == nil { members = try? container.decode([String: JSONValue].self) }
        if text == nil, members == nil { elements = try? container.decode([JSONValue].self) }
        let isOther = text == nil && members == nil && elements == nil
        if isOther, (try? container.decode(Bool.self)) == nil, !container.decodeNil() {
            number = try container.decode(Double.self)
        }
    }
}
