import HostSystem

/// The fields of a JSON object, which the same calls read into the properties of a value, or write from them.
public struct JSONFields {
    /// The fields that were not read yet, or those that were written.
    private(set) var object = JSONObject()
    let isReading: Bool

    /// Reads the fields of an object.
    static func read(
        _ object: JSONObject, _ pass: (inout JSONFields) throws(TUFError) -> Void
    ) throws(TUFError) {
        var fields = JSONFields(object: object, isReading: true)
        try pass(&fields)
    }

    /// Returns the object that is written. No field can fail.
    static func written(_ pass: (inout JSONFields) throws(TUFError) -> Void) -> JSONObject {
        var fields = JSONFields(isReading: false)
        try? pass(&fields)
        return fields.object
    }

    /// Passes on a required field.
    mutating func pass(_ name: String, _ value: inout some JSONConvertible) throws(TUFError) {
        var present: _? = value
        try pass(ifPresent: name, &present)
        guard let present else { throw TUFError(.malformed, detail: "\(name) is missing") }
        value = present
    }

    /// Passes on a field that may be missing.
    mutating func pass<Value: JSONConvertible>(ifPresent name: String, _ value: inout Value?) throws(TUFError) {
        if isReading {
            value = try object.take(name).map { json throws(TUFError) in try Value(reading: json, name) }
        } else {
            object[name] = value?.jsonValue
        }
    }

    /// Passes on a number of at least 1.
    mutating func pass(positive name: String, _ number: inout Int) throws(TUFError) {
        try pass(name, &number)
        guard number > 0 else { throw JSONValue.problem(name, "a positive number") }
    }

    /// Passes on a Boolean value, which is false if it is missing.
    mutating func pass(flag name: String, _ value: inout Bool) throws(TUFError) {
        var present: Bool? = value
        try pass(ifPresent: name, &present)
        value = present ?? false
    }

    /// Passes on the fields of an object in this one.
    mutating func pass(
        in name: String, _ pass: (inout JSONFields) throws(TUFError) -> Void
    ) throws(TUFError) {
        var inner = isReading ? JSONObject() : Self.written(pass)
        try self.pass(name, &inner)
        if isReading { try Self.read(inner, pass) }
    }

    /// Passes on all other fields, which this module does not know.
    mutating func passRest(_ others: inout JSONObject) {
        if isReading { others = object } else { for other in others.members { object[other.name] = other.value } }
    }
}

/// A value of metadata that is written as JSON.
protocol JSONConvertible {
    /// Reads a value. An error has the name.
    init(reading json: JSONValue, _ name: String) throws(TUFError)
    var jsonValue: JSONValue { get }
}

/// A value that is an object in metadata.
protocol JSONRecord: JSONConvertible {
    /// Creates a value whose fields are read next.
    init()
    /// Reads or writes all fields.
    mutating func pass(_ fields: inout JSONFields) throws(TUFError)
}

extension JSONRecord {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        self.init()
        try JSONFields.read(JSONObject(reading: json, name)) { fields throws(TUFError) in try pass(&fields) }
    }

    var jsonValue: JSONValue {
        var copy = self
        return .object(JSONFields.written { fields throws(TUFError) in try copy.pass(&fields) })
    }
}

extension JSONValue {
    static func problem(_ name: String, _ expected: String) -> TUFError {
        TUFError(.malformed, detail: "\(name) is not \(expected)")
    }
}

extension String: JSONConvertible {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        guard case .string(let text) = json else { throw JSONValue.problem(name, "a text") }
        self = text
    }

    var jsonValue: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        guard case .bool(let value) = json else { throw JSONValue.problem(name, "true or false") }
        self = value
    }

    var jsonValue: JSONValue { .bool(self) }
}

extension Int: JSONConvertible {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        guard case .integer(let number) = json, number >= 0 else { throw JSONValue.problem(name, "a positive number") }
        self = number
    }

    var jsonValue: JSONValue { .integer(self) }
}

extension UTCTime: JSONConvertible {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        guard let time = UTCTime(try String(reading: json, name)) else { throw JSONValue.problem(name, "a time") }
        self = time
    }

    var jsonValue: JSONValue { .string(description) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        guard case .array(let elements) = json else { throw JSONValue.problem(name, "an array") }
        self = try elements.map { element throws(TUFError) in try Element(reading: element, name) }
    }

    var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension JSONValue: JSONConvertible {
    init(reading json: JSONValue, _ name: String) { self = json }

    var jsonValue: JSONValue { self }
}

extension SortedNames: JSONConvertible where Value: JSONConvertible {
    init(reading json: JSONValue, _ name: String) throws(TUFError) {
        guard case .object(let object) = json else { throw JSONValue.problem(name, "an object") }
        self.init()
        for member in object.members { append(try Value(reading: member.value, name), named: member.name) }
    }

    var jsonValue: JSONValue {
        var object = JSONObject()
        for member in members { object.append(member.value.jsonValue, named: member.name) }
        return .object(object)
    }
}
