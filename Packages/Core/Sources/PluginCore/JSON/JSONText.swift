/// A cursor over a JSON text, as RFC 8259 defines it, which reads the text once to check it.
///
/// Beside the text, its memory is proportional to the nesting depth, the names of the open objects, and the longest string.
struct JSONText {
    private let text: [Unicode.Scalar]
    private let limit: Int
    private var position = 0
    private var count = 0
    /// The place of the current value: a name, or an index in brackets, in each open object or array.
    private var place: [String] = []

    init(_ text: String, limit: Int) {
        self.text = Array(text.unicodeScalars)
        self.limit = limit
    }

    private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    /// Checks that the text is one value.
    mutating func check() throws(JSONError) {
        try value()
        skipSpace()
        guard next == nil else { throw unexpected("the end of the file") }
    }

    /// Consumes a value. It calls itself at most as often as values may be nested.
    private mutating func value() throws(JSONError) {
        count += 1
        skipSpace()
        guard count <= limit else { throw error("the file has more than \(limit) values") }
        switch next {
        case "{": try elements(until: "}")
        case "[": try elements(until: "]")
        case "\"": _ = try string()
        case let mark? where mark == "-" || mark.isDigit: try number()
        default:
            let word = ["true", "false", "null"].first { text[position...].starts(with: $0.unicodeScalars) }
            guard let word else { throw unexpected("a value") }
            position += word.count
        }
    }

    /// Consumes an array or an object.
    private mutating func elements(until bracket: Unicode.Scalar) throws(JSONError) {
        position += 1
        place.append("")
        guard place.count <= StrictJSON.depthLimit else {
            throw error("values are nested more than \(StrictJSON.depthLimit) levels deep")
        }
        // `String` treats canonically equivalent spellings as equal, as the decoder's dictionary does.
        var names: Set<String> = []
        var index = 0
        skipSpace()
        while !skips(bracket) {
            if index > 0 {
                guard skips(",") else { throw unexpected("\",\" or \"\(bracket)\"") }
                skipSpace()
                guard next != bracket else { throw error("no comma is allowed before \"\(bracket)\"") }
            }
            if bracket == "}" { try name(&names) } else { place[place.count - 1] = "[\(index)]" }
            index += 1
            try value()
            skipSpace()
        }
        place.removeLast()
    }

    /// Consumes the name of a member, which must not be among the names of the object so far, and the colon.
    private mutating func name(_ names: inout Set<String>) throws(JSONError) {
        let start = position
        guard next == "\"" else { throw unexpected("a name in quotation marks") }
        let name = try string()
        place[place.count - 1] = name
        guard names.insert(name).inserted else {
            throw error("\"\(Self.path(place))\" is given twice", at: start)
        }
        skipSpace()
        guard skips(":") else { throw unexpected("\":\"") }
    }
}

// Tokens.
extension JSONText {
    private mutating func skips(_ mark: Unicode.Scalar) -> Bool {
        guard next == mark else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let space = next, space == " " || space == "\n" || space == "\r" || space == "\t" { position += 1 }
    }

    private mutating func number() throws(JSONError) {
        _ = skips("-")
        if !skips("0") { try digits() }
        if skips(".") { try digits() }
        guard skips("e") || skips("E") else { return }
        _ = skips("+") || skips("-")
        try digits()
    }

    private mutating func digits() throws(JSONError) {
        guard next?.isDigit == true else { throw unexpected("a digit") }
        while next?.isDigit == true { position += 1 }
    }

    /// Consumes a string and returns its content.
    private mutating func string() throws(JSONError) -> String {
        let start = position
        position += 1
        var content = String.UnicodeScalarView()
        var marks = 0
        while let next, next.value >= 0x20 {
            position += 1
            if next == "\"" { return String(content) }
            let scalar = next == "\\" ? try escaped() : next
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= StrictJSON.markLimit else {
                throw error("more than \(StrictJSON.markLimit) combining marks follow one letter")
            }
            content.append(scalar)
        }
        throw error(
            "the closing quotation mark of this string is missing, or a line break is not written as \\n", at: start)
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        let start = position - 1
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
        let digits = String(String.UnicodeScalarView(text[position...].prefix(4)))
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ $0.hexValue != nil }),
            let unit = UInt16(digits, radix: 16)
        else { throw unexpected("four hexadecimal digits") }
        position += 4
        return unit
    }
}

// Errors with their positions.
extension JSONText {
    /// Returns the path of a value, such as `a.b[1]`, from names, and indices in brackets.
    static func path(_ place: [String]) -> String {
        place.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }

    /// Returns an error at a position, by default the current one.
    private func error(_ finding: String, at index: Int? = nil) -> JSONError {
        JSONError(finding, after: text[..<(index ?? position)])
    }

    /// Returns the error for an unexpected scalar at the current position.
    private func unexpected(_ expected: String) -> JSONError {
        error("expected \(expected), found \(next?.debugDescription ?? "the end of the file")")
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { "0"..."9" ~= self }
}
