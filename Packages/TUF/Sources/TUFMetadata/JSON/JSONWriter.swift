public import HostSystem
import LibCrypto

extension JSONValue {
    /// Reads a text, which may have spaces around and in it.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, also for repeated names, fractions and numbers of more than 64 bits.
    public init(parsing bytes: [UInt8]) throws(TUFError) { self = try Self.read(bytes).value }

    /// Reads a text, and returns the canonical form of a member of the outermost object if the text contains it.
    static func read(
        _ bytes: [UInt8], canonicalFormOf wanted: String? = nil
    ) throws(TUFError) -> (value: JSONValue, canonicalForm: ArraySlice<UInt8>?) {
        do {
            return try StrictJSON.value(of: bytes, canonicalFormOf: wanted)
        } catch {
            throw TUFError(.malformed, detail: error.description)
        }
    }

    /// The canonical form, over which signatures and key identifiers are computed.
    ///
    /// Members are sorted by name, there is no space, and in strings only quotation marks and backslashes are escaped. A string with
    /// control characters is therefore not valid JSON in this form. See the OLPC wiki, Canonical JSON.
    public var canonical: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, isCanonical: true)
        return bytes
    }

    /// The value as JSON without spaces, with sorted members.
    public var text: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, isCanonical: false)
        return bytes
    }

    private func write(to bytes: inout [UInt8], isCanonical: Bool) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .string(let text): Self.write(text, to: &bytes, isCanonical: isCanonical)
        case .array(let elements):
            bytes += "[".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                element.write(to: &bytes, isCanonical: isCanonical)
            }
            bytes += "]".utf8
        case .object(let object):
            bytes += "{".utf8
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                Self.write(member.name, to: &bytes, isCanonical: isCanonical)
                bytes += ":".utf8
                member.value.write(to: &bytes, isCanonical: isCanonical)
            }
            bytes += "}".utf8
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8], isCanonical: Bool) {
        bytes += "\"".utf8
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20 where !isCanonical: bytes += "\\u00\([byte].hexadecimal)".utf8
            default: bytes.append(byte)
            }
        }
        bytes += "\"".utf8
    }
}
