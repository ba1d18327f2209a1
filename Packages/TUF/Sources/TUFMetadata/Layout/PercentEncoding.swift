/// Percent-encoding of names in addresses and file names.
///
/// See RFC 3986, section 2.
package enum PercentEncoding {
    /// Encodes all bytes but letters, digits, and `-._~`. Two names never get the same text.
    package static func encoded(_ name: some StringProtocol) -> String {
        var text: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.append(byte)
            default:
                text += "%\([byte].hexadecimal.uppercased())".utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text, or returns nil unless its bytes are UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard rest.count >= 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
