/// A cursor over a JSON text, as RFC 8259 defines it, which reads the text once.
///
/// Beside the text, a check needs memory in proportion to the nesting depth, the names of the open objects, and the longest string.
struct JSONReader {
    private let bytes: [UInt8]
    private let limit: Int
    /// A Boolean value that indicates whether the text is read into a value, exactly: with whole numbers only, and names compared by bytes.
    private let isExact: Bool
    /// The name of the member of the outermost object whose canonical form is wanted.
    private let wanted: String?
    private var position = 0
    private var count = 0
    /// The place of the current value: a name or an index in each open object or array.
    private var place: [(name: String?, index: Int)] = []
    /// A Boolean value that indicates whether the text since the last time that this was set is in canonical form.
    private var isCanonical = true
    /// The text of the wanted member, or nil if it is not in canonical form.
    private(set) var canonicalForm: ArraySlice<UInt8>?

    init(_ bytes: [UInt8], limit: Int = .max, isExact: Bool = false, canonicalFormOf wanted: String? = nil) {
        self.bytes = bytes
        self.limit = limit
        self.isExact = isExact
        self.wanted = wanted
    }

    private var next: Unicode.Scalar? { position < bytes.count ? Unicode.Scalar(bytes[position]) : nil }

    /// Reads the text, which must be one value.
    ///
    /// - Returns: The value, which means nothing unless the text is read exactly.
    mutating func read() throws(JSONError) -> JSONValue {
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw self.error("this is not UTF-8", at: error.byteOffsets.lowerBound)
        }
        let value = try value()
        skipSpace()
        guard next == nil else { throw unexpected("the end of the file") }
        return value
    }

    /// Consumes a value. It calls itself at most as often as values may be nested.
    private mutating func value() throws(JSONError) -> JSONValue {
        count += 1
        skipSpace()
        guard count <= limit else { throw error("the file has more than \(limit) values") }
        switch next {
        case "{": return try elements(until: "}")
        case "[": return try elements(until: "]")
        case "\"": return .string(try string())
        case let mark? where mark == "-" || mark.isDigit: return try number()
        default:
            let word = Self.words.first { bytes[position...].starts(with: $0.text.utf8) }
            guard let word else { throw unexpected("a value") }
            position += word.text.utf8.count
            return word.value
        }
    }

    private static let words: [(text: String, value: JSONValue)] = [("true", true), ("false", false), ("null", .null)]

    /// Consumes an array or an object.
    private mutating func elements(until bracket: Unicode.Scalar) throws(JSONError) -> JSONValue {
        position += 1
        place.append((nil, 0))
        guard place.count <= StrictJSON.depthLimit else {
            throw error("values are nested more than \(StrictJSON.depthLimit) levels deep")
        }
        // `String` treats canonically equivalent spellings as equal, as the decoder's dictionary does.
        var names: Set<String> = []
        var members: [JSONObject.Member] = []
        var elements: [JSONValue] = []
        var index = 0
        skipSpace()
        while !skips(bracket) {
            if index > 0 {
                guard skips(",") else { throw unexpected("\",\" or \"\(bracket)\"") }
                skipSpace()
                guard next != bracket else { throw error("no comma is allowed before \"\(bracket)\"") }
            }
            let start = position
            let name = bracket == "}" ? try name() : nil
            if isExact {
                let value = try value(of: name)
                if let name {
                    members.append(JSONObject.Member(name: name, value: value))
                } else {
                    elements.append(value)
                }
            } else {
                place[place.count - 1] = (name, index)
                if let name, !names.insert(name).inserted { throw error("\"\(path)\" is given twice", at: start) }
                _ = try value()
            }
            index += 1
            skipSpace()
        }
        place.removeLast()
        if bracket == "]" { return .array(elements) }
        // Files are mostly written in canonical order.
        if let object = JSONObject(sorted: members) { return .object(object) }
        isCanonical = false
        guard let object = JSONObject(unsorted: members) else { throw error("a name of this object is given twice") }
        return .object(object)
    }

    /// Consumes the value of a member or element, and notes its text if that is wanted.
    private mutating func value(of name: String?) throws(JSONError) -> JSONValue {
        guard place.count == 1, let name, let wanted, name.hasSameBytes(as: wanted) else { return try value() }
        skipSpace()
        let start = position
        isCanonical = true
        let value = try value()
        canonicalForm = isCanonical ? bytes[start..<position] : nil
        return value
    }

    /// Consumes the name of a member, and the colon.
    private mutating func name() throws(JSONError) -> String {
        guard next == "\"" else { throw unexpected("a name in quotation marks") }
        let name = try string()
        skipSpace()
        guard skips(":") else { throw unexpected("\":\"") }
        return name
    }
}

// Tokens.
extension JSONReader {
    private mutating func skips(_ mark: Unicode.Scalar) -> Bool {
        guard next == mark else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let space = next, space == " " || space == "\n" || space == "\r" || space == "\t" {
            position += 1
            isCanonical = false
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = skips("-")
        if !skips("0") { try digits() }
        if skips(".") { try digits() }
        if skips("e") || skips("E") {
            _ = skips("+") || skips("-")
            try digits()
        }
        if !isExact { return .null }
        guard let number = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw error("expected a whole number of at most 64 bits", at: start)
        }
        // The canonical form of -0 is 0.
        if number == 0, position > start + 1 { isCanonical = false }
        return .integer(number)
    }

    private mutating func digits() throws(JSONError) {
        guard next?.isDigit == true else { throw unexpected("a digit") }
        while next?.isDigit == true { position += 1 }
    }

    /// Consumes a string and returns its content.
    private mutating func string() throws(JSONError) -> String {
        let opening = position
        position += 1
        var before: [UInt8] = []
        while true {
            let start = position
            while let next, next.value >= 0x20, next != "\"", next != "\\" { position += 1 }
            let part = bytes[start..<position]
            if skips("\"") {
                // Most strings have no escapes, and are made from the text itself.
                let content = String(decoding: before.isEmpty ? part : before[...] + part, as: UTF8.self)
                if !isExact { try requireFewMarks(content) }
                return content
            }
            guard skips("\\") else {
                throw error(
                    "the closing quotation mark of this string is missing, or a line break is not written as \\n",
                    at: opening)
            }
            before += part
            before += String(try escaped()).utf8
        }
    }

    private func requireFewMarks(_ text: String) throws(JSONError) {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= StrictJSON.markLimit else {
                throw error("more than \(StrictJSON.markLimit) combining marks follow one letter")
            }
        }
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        let start = position - 1
        if next != "\"", next != "\\" { isCanonical = false }
        if let scalar = next.flatMap({ Self.escapes[$0] }) {
            position += 1
            return scalar
        }
        guard skips("u") else { throw unexpected("an escape, in which a backslash is \\\\") }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, skips("\\"), skips("u"), case let low = try hexadecimal(), 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw error("this is an unpaired surrogate escape", at: start) }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw unexpected("four hexadecimal digits") }
        position += 4
        return unit
    }
}

// Errors with their positions.
extension JSONReader {
    /// The path of the current value, such as `a.b[1]`.
    private var path: String {
        place.reduce("") { path, step in
            guard let name = step.name else { return "\(path)[\(step.index)]" }
            return path.isEmpty ? name : "\(path).\(name)"
        }
    }

    /// Returns an error at a position, by default the current one.
    private func error(_ finding: String, at index: Int? = nil) -> JSONError {
        JSONError(finding, after: bytes[..<(index ?? position)])
    }

    /// Returns the error for an unexpected scalar at the current position.
    private func unexpected(_ expected: String) -> JSONError {
        let found = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first
        return error("expected \(expected), found \(found?.debugDescription ?? "the end of the file")")
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { "0"..."9" ~= self }
}
