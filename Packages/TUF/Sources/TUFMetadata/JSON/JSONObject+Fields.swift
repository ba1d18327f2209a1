// The fields of metadata, each with an error that names it.
extension JSONObject {
    func required(_ name: String) throws(TUFError) -> JSONValue {
        guard let value = self[name] else { throw TUFError(.malformed, detail: "\(name) is missing") }
        return value
    }

    func string(_ name: String) throws(TUFError) -> String {
        try required(name).string(name)
    }

    func object(_ name: String) throws(TUFError) -> JSONObject {
        try required(name).object(name)
    }

    func array(_ name: String) throws(TUFError) -> [JSONValue] {
        guard case .array(let elements) = try required(name) else { throw JSONValue.problem(name, "an array") }
        return elements
    }

    /// Returns a number of at least 1.
    func positive(_ name: String) throws(TUFError) -> Int {
        guard case .integer(let number) = try required(name), number > 0 else {
            throw JSONValue.problem(name, "a positive number")
        }
        return number
    }

    /// Returns a Boolean value, or false if the member is missing.
    func bool(_ name: String) throws(TUFError) -> Bool {
        switch self[name] {
        case nil: return false
        case .bool(let value): return value
        default: throw JSONValue.problem(name, "true or false")
        }
    }

    /// Returns texts, each of which occurs once.
    func uniqueStrings(_ name: String) throws(TUFError) -> [String] {
        let texts = try strings(name)
        if let text = texts.repeated {
            throw TUFError(.malformed, detail: "\(name) contains \(text.debugDescription) twice")
        }
        return texts
    }

    func strings(_ name: String) throws(TUFError) -> [String] {
        var texts: [String] = []
        for element in try array(name) { texts.append(try element.string(name)) }
        return texts
    }
}

extension JSONValue {
    func string(_ name: String) throws(TUFError) -> String {
        guard case .string(let text) = self else { throw Self.problem(name, "a text") }
        return text
    }

    func object(_ name: String) throws(TUFError) -> JSONObject {
        guard case .object(let object) = self else { throw Self.problem(name, "an object") }
        return object
    }

    static func problem(_ name: String, _ expected: String) -> TUFError {
        TUFError(.malformed, detail: "\(name) is not \(expected)")
    }
}
