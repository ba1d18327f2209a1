/// Percent-encoding by section 2.1 of RFC 3986, strict in both directions.
public enum PercentCoding {
    /// The reason why a text cannot be decoded.
    public enum Problem: String, Error, Sendable {
        /// A percent sign without two hexadecimal digits after it.
        case brokenEscape = "brokenEscape"
        /// Bytes that are not UTF-8 once decoded.
        case invalidUTF8 = "escapesNotUTF8"
        /// A NUL, escaped or not.
        case nul = "nul"
    }

    /// Decodes each escape sequence once.
    ///
    /// - Parameter bytes: The encoded text in UTF-8.
    /// - Throws: ``Problem`` for a malformed escape sequence, invalid UTF-8, or a NUL.
    public static func decode(_ bytes: some Collection<UInt8>) throws(Problem) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == .percent else {
                decoded.append(byte)
                continue
            }
            guard let high = iterator.next()?.hexValue, let low = iterator.next()?.hexValue else {
                throw .brokenEscape
            }
            decoded.append(high << 4 | low)
        }
        guard !decoded.contains(0) else { throw .nul }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    /// Encodes all characters except the unreserved ones of RFC 3986, so the result is a single segment, name or value in any part.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded += [.percent, .hexDigit(byte >> 4), .hexDigit(byte & 15)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

/// The ASCII characters with a meaning in RFC 3986.
extension UInt8 {
    static let percent = UInt8(ascii: "%")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let hash = UInt8(ascii: "#")
    static let question = UInt8(ascii: "?")
    static let ampersand = UInt8(ascii: "&")
    static let equals = UInt8(ascii: "=")

    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// A Boolean value that indicates whether a scheme may contain this byte.
    ///
    /// Section 3.1: `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
    var isSchemeByte: Bool {
        isASCIILetter || isASCIIDigit || "+-.".utf8.contains(self)
    }

    /// A Boolean value that indicates whether this byte is an unreserved character of section 2.3.
    var isUnreserved: Bool {
        isASCIILetter || isASCIIDigit || "-._~".utf8.contains(self)
    }

    var hexValue: UInt8? { Character(Unicode.Scalar(self)).hexDigitValue.map(UInt8.init) }

    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
