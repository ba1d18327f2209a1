internal import Hashing

extension JSONValue {
    /// The canonical form, over which signatures and key identifiers are computed.
    ///
    /// Members are sorted by name, there is no space, and in strings only quotation marks and backslashes are escaped. A string with
    /// control characters is therefore not valid JSON in this form. See the OLPC wiki, Canonical JSON.
    public var canonical: [UInt8] {
        JSONWriter.bytes(of: self, isCanonical: true)
    }

    /// The value as JSON without spaces, with sorted members.
    public var text: [UInt8] {
        JSONWriter.bytes(of: self, isCanonical: false)
    }
}

private struct JSONWriter {
    let isCanonical: Bool
    private var bytes: [UInt8] = []

    static func bytes(of value: JSONValue, isCanonical: Bool) -> [UInt8] {
        var writer = JSONWriter(isCanonical: isCanonical)
        writer.write(value)
        return writer.bytes
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .string(let text): write(text)
        case .array(let elements):
            write("[", elements, "]") { $0.write($1) }
        case .object(let object):
            write("{", object.members, "}") { writer, member in
                writer.write(member.name)
                writer.bytes.append(UInt8(ascii: ":"))
                writer.write(member.value)
            }
        }
    }

    private mutating func write<Element>(
        _ start: Unicode.Scalar, _ elements: [Element], _ end: Unicode.Scalar,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        bytes.append(UInt8(ascii: start))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            body(&self, element)
        }
        bytes.append(UInt8(ascii: end))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20 where !isCanonical: bytes += "\\u00\([byte].hexadecimal)".utf8
            default: bytes.append(byte)
            }
        }
    }
}
