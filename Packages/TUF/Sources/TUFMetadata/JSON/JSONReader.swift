/// A strict reader of JSON texts in metadata.
///
/// It refuses any text that two programs could read differently: repeated names, unpaired surrogates, numbers with fractions or of more
/// than 64 bits, and deep nesting. See RFC 8259 and RFC 7493.
struct JSONReader {
    static let depthLimit = 64

    private let bytes: [UInt8]
    /// The name of the member of the outermost object whose canonical form is wanted.
    private let wanted: String?
    private var position = 0
    private var depth = 0
    /// A Boolean value that indicates whether the text since the last time that this was set is in canonical form.
    private var isCanonical = true
    private var canonicalForm: ArraySlice<UInt8>?

    private init(_ bytes: [UInt8], wanted: String?) {
        self.bytes = bytes
        self.wanted = wanted
    }

    /// Reads a text.
    ///
    /// - Parameter wanted: The name of a member of the outermost object.
    /// - Returns: The value, and the text of this member if it is in canonical form, as in most files. It need not be made again then.
    static func read(
        _ bytes: [UInt8], canonicalFormOf wanted: String? = nil
    ) throws(TUFError) -> (value: JSONValue, canonicalForm: ArraySlice<UInt8>?) {
        var reader = JSONReader(bytes, wanted: wanted)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.problem("text after the end") }
        return (value, reader.canonicalForm)
    }

    private func problem(_ text: String) -> TUFError {
        TUFError(.malformed, detail: "\(text) at byte \(position)")
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
            isCanonical = false
        }
    }

    private mutating func takes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(TUFError) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = next == UInt8(ascii: "{")
            position += 1
            depth += 1
            guard depth <= Self.depthLimit else { throw problem("values nested too deeply") }
            defer { depth -= 1 }
            return isObject ? try object() : try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws(TUFError) -> JSONValue {
        if takes("}") { return .object(JSONObject()) }
        var members: [JSONObject.Member] = []
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw problem("no name") }
            let name = try string()
            guard takes(":") else { throw problem("no colon") }
            let value = try value(of: name)
            members.append(JSONObject.Member(name: name, value: value))
        } while takes(",")
        guard takes("}") else { throw problem("an object without an end") }
        // Files are mostly written in canonical order.
        if let object = JSONObject(sorted: members) { return .object(object) }
        isCanonical = false
        guard let object = JSONObject(unsorted: members) else { throw problem("a repeated name in the object") }
        return .object(object)
    }

    /// Reads the value of a member, and notes its text if it is the wanted one.
    private mutating func value(of name: String) throws(TUFError) -> JSONValue {
        guard depth == 1, let wanted, name.hasSameBytes(as: wanted) else { return try value() }
        skipSpace()
        let start = position
        isCanonical = true
        let value = try value()
        canonicalForm = isCanonical ? bytes[start..<position] : nil
        return value
    }

    private mutating func array() throws(TUFError) -> JSONValue {
        if takes("]") { return .array([]) }
        var elements: [JSONValue] = []
        repeat { elements.append(try value()) } while takes(",")
        guard takes("]") else { throw problem("an array without an end") }
        return .array(elements)
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws(TUFError) -> JSONValue {
        guard bytes[position...].starts(with: text.utf8) else { throw problem("no value") }
        position += text.utf8.count
        return value
    }

    private mutating func number() throws(TUFError) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let digits = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > digits else { throw problem("no value") }
        guard position == digits + 1 || bytes[digits] != UInt8(ascii: "0") else { throw problem("a leading zero") }
        guard next != UInt8(ascii: "."), next != UInt8(ascii: "e"), next != UInt8(ascii: "E") else {
            throw problem("a number with a fraction or an exponent")
        }
        guard let number = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw problem("a number of more than 64 bits")
        }
        // The canonical form of -0 is 0.
        if number == 0, digits > start { isCanonical = false }
        return .integer(number)
    }

    /// Reads a string, which begins at the current position.
    private mutating func string() throws(TUFError) -> String {
        position += 1
        var text: ArraySlice<UInt8> = []
        while true {
            let start = position
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
            }
            guard let byte = next else { throw problem("a string without an end") }
            guard byte >= 0x20 else { throw problem("a control character in a string") }
            if byte == UInt8(ascii: "\"") {
                // Most strings have no escapes, and are made from the text itself.
                let part = bytes[start..<position]
                position += 1
                guard let string = String(validating: text.isEmpty ? part : text + part, as: UTF8.self) else {
                    throw problem("no UTF-8")
                }
                return string
            }
            text += bytes[start..<position]
            position += 1
            text += String(try escape()).utf8
        }
    }

    /// Reads an escape after its backslash.
    private mutating func escape() throws(TUFError) -> Unicode.Scalar {
        guard let mark = next else { throw problem("a string without an end") }
        position += 1
        if mark != UInt8(ascii: "\""), mark != UInt8(ascii: "\\") { isCanonical = false }
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(mark)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw problem("an unknown escape")
        }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            throw problem("half a surrogate pair")
        }
        position += 2
        let low = try hexadecimal()
        guard 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw problem("half a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(TUFError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Hexadecimal.value(of: byte) else {
                throw problem("no hexadecimal digit")
            }
            position += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

extension JSONValue {
    /// Reads a text, which may have spaces around and in it.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, also for repeated names, fractions and numbers of more than 64 bits.
    public init(parsing bytes: [UInt8]) throws(TUFError) {
        self = try JSONReader.read(bytes).value
    }
}
