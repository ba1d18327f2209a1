/// The ASCII characters with a meaning in RFC 3986.
extension UInt8 {
    static let percent = UInt8(ascii: "%")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let hash = UInt8(ascii: "#")
    static let question = UInt8(ascii: "?")
    static let ampersand = UInt8(ascii: "&")
    static let equals = UInt8(ascii: "=")
    static let plus = UInt8(ascii: "+")
    static let space = UInt8(ascii: " ")

    var isASCIIUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
    var isASCIILetter: Bool { isASCIIUppercase || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var lowercasedASCII: UInt8 { isASCIIUppercase ? self | 0x20 : self }

    /// A Boolean value that indicates whether a scheme may contain this byte.
    ///
    /// Section 3.1: `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
    var isSchemeByte: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// A Boolean value that indicates whether this byte is an unreserved character of section 2.3.
    var isUnreserved: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
    }

    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
