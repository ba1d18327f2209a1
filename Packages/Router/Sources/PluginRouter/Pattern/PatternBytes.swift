/// The ASCII characters with a meaning in patterns.
extension UInt8 {
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let star = UInt8(ascii: "*")
    static let hash = UInt8(ascii: "#")

    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isHexDigit: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }
    var isNameStart: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_") }
    var isNameByte: Bool { isNameStart || isDigit }
    /// The value of the byte as a hexadecimal digit, or nil.
    var hexValue: UInt8? { isDigit ? self & 0x0F : isHexDigit ? (self & 0x0F) + 9 : nil }
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}

extension Span<UInt8> {
    /// Returns whether the bytes are those of a text.
    func equals(_ text: String, ignoringCase: Bool = false) -> Bool {
        let other = text.utf8.span
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] {
            guard ignoringCase, self[index].lowercased == other[index].lowercased else { return false }
        }
        return true
    }
}

extension String {
    var lowercasedASCII: String {
        utf8.allSatisfy { $0 == $0.lowercased } ? self : String(decoding: utf8.map(\.lowercased), as: UTF8.self)
    }

    /// Returns whether two texts have the same bytes.
    ///
    /// `==` is also true for different spellings of the same characters.
    func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
