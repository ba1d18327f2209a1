extension String {
    /// Changes one field of a JSON object without changing any other byte, so an invalid manifest keeps its other errors.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - json: The new value, or `nil` to remove the field.
    mutating func setField(_ name: String, to json: String?) throws {
        var bytes = Array(utf8)
        let fields = try JSONFields(bytes)
        if let index = fields.all.firstIndex(where: { $0.name == name }) {
            let field = fields.all[index]
            if let json {
                bytes.replaceSubrange(field.value, with: json.utf8)
            } else if index + 1 < fields.all.count {
                bytes.removeSubrange(field.start..<fields.all[index + 1].start)
            } else {
                let start = index > 0 ? fields.all[index - 1].value.upperBound : field.start
                bytes.removeSubrange(start..<field.value.upperBound)
            }
        } else if let json {
            let isFirst = fields.all.isEmpty
            bytes.insert(contentsOf: "\"\(name)\": \(json)\(isFirst ? "" : ", ")".utf8, at: fields.start)
        } else {
            throw FixtureError("there is no field \"\(name)\" in\n\(self)")
        }
        self = String(decoding: bytes, as: UTF8.self)
    }
}

/// The byte ranges of the fields at the top level of a JSON object.
private struct JSONFields {
    struct Field {
        let name: String
        /// The offset of the opening quotation mark of the name.
        let start: Int
        let value: Range<Int>
    }

    /// The offset after the opening brace.
    let start: Int
    private(set) var all: [Field] = []

    init(_ bytes: [UInt8]) throws {
        guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else { throw Self.unreadable(bytes) }
        start = brace + 1
        var index = start
        while let quote = Self.skip(" \n\r\t,", in: bytes, from: index), bytes[quote] == UInt8(ascii: "\"") {
            let nameEnd = try Self.endOfText(in: bytes, from: quote)
            guard let value = Self.skip(" \n\r\t:", in: bytes, from: nameEnd) else { throw Self.unreadable(bytes) }
            index = try Self.endOfValue(in: bytes, from: value)
            let name = String(decoding: bytes[(quote + 1)..<(nameEnd - 1)], as: UTF8.self)
            all.append(Field(name: name, start: quote, value: value..<index))
        }
    }

    private static func unreadable(_ bytes: [UInt8]) -> FixtureError {
        FixtureError("no JSON object with fields to change:\n\(String(decoding: bytes, as: UTF8.self))")
    }

    private static func skip(_ set: String, in bytes: [UInt8], from start: Int) -> Int? {
        bytes[start...].firstIndex { !set.utf8.contains($0) }
    }

    /// Returns the offset after the closing quotation mark of a string.
    private static func endOfText(in bytes: [UInt8], from start: Int) throws -> Int {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        throw unreadable(bytes)
    }

    private static func endOfValue(in bytes: [UInt8], from start: Int) throws -> Int {
        var depth = 0
        var index = start
        var end = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = try endOfText(in: bytes, from: index)
                end = index
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0: return end
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            // Whitespace before a comma or brace does not belong to the value.
            if !" \n\r\t".utf8.contains(bytes[index - 1]) { end = index }
        }
        throw unreadable(bytes)
    }
}
