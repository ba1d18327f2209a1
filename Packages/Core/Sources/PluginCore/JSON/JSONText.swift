/// A cursor over the bytes of a JSON text, as RFC 8259 defines it, which reads the text once to check it.
///
/// Its memory is proportional to the nesting depth, except for the names of the open objects.
struct JSONText {
    /// An open array or object.
    private struct Frame {
        /// The names so far if this is an object.
        ///
        /// `String` treats canonically equivalent spellings as equal, as the decoder's dictionary does.
        var names: Set<String>?
        var name = ""
        var index = 0
    }

    private let bytes: [UInt8]
    private let limit: Int
    private var position = 0
    private var count = 0
    private var frames: [Frame] = []

    init(_ bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Checks that the text is one value.
    mutating func check() throws(JSONFlaw) {
        try value()
        skipSpace()
        guard next == nil else { throw unexpected("the end of the file", at: position) }
    }

    /// Consumes a value. It calls itself at most as often as values may be nested.
    private mutating func value() throws(JSONFlaw) {
        count += 1
        skipSpace()
        guard count <= limit else { throw flaw(.valueCount, "the file has more than \(limit) values") }
        let start = position
        position += 1
        switch start < bytes.count ? bytes[start] : nil {
        case UInt8(ascii: "{"): try elements(of: Frame(names: []), until: "}")
        case UInt8(ascii: "["): try elements(of: Frame(), until: "]")
        case UInt8(ascii: "\""): _ = try string(isKept: false)
        case UInt8(ascii: "t"): try word("rue")
        case UInt8(ascii: "f"): try word("alse")
        case UInt8(ascii: "n"): try word("ull")
        case let mark? where mark == UInt8(ascii: "-") || mark.isASCIIDigit: try number(from: start)
        default: throw unexpected("a value", at: start)
        }
    }

    /// Consumes the elements of an array or the members of an object, and the closing bracket.
    private mutating func elements(of frame: Frame, until bracket: Unicode.Scalar) throws(JSONFlaw) {
        frames.append(frame)
        guard frames.count <= StrictJSON.depthLimit else {
            throw flaw(.depth, "values are nested more than \(StrictJSON.depthLimit) levels deep")
        }
        var isFirst = true
        while !takes(bracket) {
            if !isFirst {
                guard takes(",") else { throw unexpected("\",\" or \"\(bracket)\"", at: position) }
                skipSpace()
                guard next != UInt8(ascii: bracket) else {
                    throw flaw(.syntax, "no comma is allowed before \"\(bracket)\"")
                }
                frames[frames.count - 1].index += 1
            }
            isFirst = false
            if frame.names != nil { try name() }
            try value()
        }
        frames.removeLast()
    }

    /// Consumes the name of a member and the colon.
    private mutating func name() throws(JSONFlaw) {
        skipSpace()
        let (start, last) = (position, frames.count - 1)
        guard takes("\"") else { throw unexpected("a name in quotation marks", at: start) }
        let name = try string(isKept: true)
        frames[last].name = name
        guard frames[last].names?.insert(name).inserted == true else {
            throw JSONFlaw(rule: .repeatedName, finding: "\"\(place)\" is given twice", offset: start)
        }
        guard takes(":") else { throw unexpected("\":\"", at: position) }
    }

    /// The path of the current value, such as a member of an array element.
    private var place: String {
        frames.reduce("") { way, frame in
            guard frame.names != nil else { return way + "[\(frame.index)]" }
            return way.isEmpty ? frame.name : way + "." + frame.name
        }
    }
}

// Tokens.
extension JSONText {
    /// Skips whitespace and consumes the next byte if it is the given one.
    private mutating func takes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Consumes the rest of a keyword.
    private mutating func word(_ rest: StaticString) throws(JSONFlaw) {
        for offset in 0..<rest.utf8CodeUnitCount {
            guard next == rest.utf8Start[offset] else {
                throw unexpected("true, false or null", at: position - offset - 1)
            }
            position += 1
        }
    }

    /// Consumes a number that begins at a position.
    private mutating func number(from start: Int) throws(JSONFlaw) {
        position = start
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return }
        position += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
        try digits()
    }

    private mutating func digits() throws(JSONFlaw) {
        let start = position
        while let byte = next, byte.isASCIIDigit { position += 1 }
        guard position > start else { throw unexpected("a digit", at: position) }
    }

    /// Consumes a string up to its closing quotation mark. The result is empty unless the text is to be kept.
    private mutating func string(isKept: Bool) throws(JSONFlaw) -> String {
        let start = position - 1
        var kept = String.UnicodeScalarView()
        var marks = 0
        while let byte = next {
            position += 1
            let scalar: Unicode.Scalar
            switch byte {
            case UInt8(ascii: "\""): return String(kept)
            case UInt8(ascii: "\\"): scalar = try escaped()
            case ..<0x20:
                position -= 1
                throw flaw(
                    .syntax,
                    "a string must end on its line; a quotation mark is missing, or a line break is not written as \\n")
            case ..<0x80: scalar = Unicode.Scalar(byte)
            default:
                // The caller has checked that the text is UTF-8.
                let text = String(decoding: bytes[(position - 1)...].prefix(4), as: UTF8.self)
                scalar = text.unicodeScalars[text.startIndex]
                position += UTF8.width(scalar) - 1
            }
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= StrictJSON.markLimit else {
                throw flaw(.stackedMarks, "more than \(StrictJSON.markLimit) combining marks follow one letter")
            }
            if isKept { kept.append(scalar) }
        }
        throw JSONFlaw(rule: .syntax, finding: "the closing quotation mark of this string is missing", offset: start)
    }

    private mutating func escaped() throws(JSONFlaw) -> Unicode.Scalar {
        let start = position - 1
        guard let mark = next else { throw unexpected("an escape", at: position) }
        position += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(mark)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default:
            throw JSONFlaw(
                rule: .syntax, finding: "\(shown(at: start, count: 2)) is not an escape; write a backslash as \\\\",
                offset: start)
        }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let half = JSONFlaw(rule: .halfCharacter, finding: "this is an unpaired surrogate escape", offset: start)
        guard unit < 0xDC00, next == UInt8(ascii: "\\") else { throw half }
        position += 1
        guard next == UInt8(ascii: "u") else { throw half }
        position += 1
        let low = try hexadecimal()
        guard 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw half }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFlaw) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = byte.hexValue else {
                throw unexpected("a hexadecimal digit", at: position)
            }
            position += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

// Errors with their positions.
extension JSONText {
    /// Returns an error at the current position.
    private func flaw(_ rule: JSONError.Rule, _ finding: String) -> JSONFlaw {
        JSONFlaw(rule: rule, finding: finding, offset: position)
    }

    /// Returns the error for an unexpected token.
    private func unexpected(_ expected: String, at offset: Int) -> JSONFlaw {
        JSONFlaw(rule: .syntax, finding: "expected \(expected), found \(shown(at: offset))", offset: offset)
    }

    /// Returns the characters at an offset in quotation marks.
    private func shown(at offset: Int, count: Int = 1) -> String {
        guard offset < bytes.count else { return "the end of the file" }
        let text = String(decoding: bytes[offset...].prefix(4 * count), as: UTF8.self)
        switch text.unicodeScalars.first {
        case "\u{FEFF}": return "a byte order mark"
        case "\"": return "a quotation mark"
        default:
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text.unicodeScalars.prefix(count))
            return "\"\(String(scalars))\""
        }
    }

    /// Returns the offset of the first byte that is not valid UTF-8, or nil if all bytes are valid.
    static func invalidOffset(in bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var (parser, rest) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
        return offset
    }
}
