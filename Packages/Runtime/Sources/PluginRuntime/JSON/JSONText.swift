/// The bytes of a JSON text, taken piece by piece (RFC 8259).
struct JSONText {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Takes the next byte that is no space; `nil` at the end.
    mutating func nextMark() -> UInt8? {
        skipSpace()
        guard let mark = next else { return nil }
        position += 1
        return mark
    }

    /// Takes a byte if it is what follows any space.
    mutating func takes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Takes the rest of a word.
    mutating func word(_ rest: StaticString) throws(JSONFlaw) {
        for offset in 0..<rest.utf8CodeUnitCount {
            guard next == rest.utf8Start[offset] else { throw .noJSON }
            position += 1
        }
    }

    /// Takes a number whose first byte has been taken.
    mutating func number(from first: UInt8) throws(JSONFlaw) {
        position -= 1
        if first == UInt8(ascii: "-") { position += 1 }
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
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw .noJSON }
    }

    /// Takes a text up to the quotation mark that ends it; empty unless it is to be kept.
    mutating func string(isKept: Bool) throws(JSONFlaw) -> String {
        var kept = String.UnicodeScalarView()
        var marks = 0
        while let byte = next {
            position += 1
            let scalar: Unicode.Scalar
            switch byte {
            case UInt8(ascii: "\""): return String(kept)
            case UInt8(ascii: "\\"): scalar = try escaped()
            case ..<0x20: throw .noJSON
            case ..<0x80: scalar = Unicode.Scalar(byte)
            default: scalar = try wide(from: byte)
            }
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= JSONCheck.markLimit else { throw .stackedMarks(limit: JSONCheck.markLimit) }
            if isKept { kept.append(scalar) }
        }
        throw .noJSON
    }

    /// Takes the rest of a character of several bytes; that all are well-formed has been looked at.
    private mutating func wide(from first: UInt8) throws(JSONFlaw) -> Unicode.Scalar {
        let count = first.leadingZeroBitCount == 0 ? (~first).leadingZeroBitCount - 1 : 0
        var value = UInt32(first) & (0x3F >> UInt32(count))
        for _ in 0..<count {
            guard let byte = next else { throw .noJSON }
            position += 1
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else { throw .noJSON }
        return scalar
    }

    private mutating func escaped() throws(JSONFlaw) -> Unicode.Scalar {
        guard let mark = next else { throw .noJSON }
        position += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(mark)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw .noJSON
        }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, next == UInt8(ascii: "\\") else { throw .halfCharacter }
        position += 1
        guard next == UInt8(ascii: "u") else { throw .halfCharacter }
        position += 1
        let low = try hexadecimal()
        guard 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw .halfCharacter }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFlaw) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .noJSON }
            position += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
