/// A value that this process can send.
package protocol WireEncodable: Sendable {
    func write(to writer: inout WireWriter)
}

/// A value that this process can receive.
package protocol WireDecodable: Sendable {
    init(from reader: inout WireReader) throws
}

/// A value that crosses to the other process in a message's body.
package typealias WireValue = WireEncodable & WireDecodable

// MARK: The values of Swift

extension WireEncodable where Self: FixedWidthInteger {
    package func write(to writer: inout WireWriter) { writer.append(self) }
}

extension WireDecodable where Self: FixedWidthInteger {
    package init(from reader: inout WireReader) throws { self = try reader.readNumber() }
}

extension Bool: CopiedScalar {
    package init(from reader: inout WireReader) throws {
        switch try reader.read(UInt8.self) {
        case 0: self = false
        case 1: self = true
        default: throw WireReader.Malformed()
        }
    }
    package func write(to writer: inout WireWriter) { writer.append(UInt8(self ? 1 : 0)) }
}

extension String: CopiedScalar {
    package init(from reader: inout WireReader) throws {
        guard let text = String(validating: try reader.readBytes(), as: UTF8.self) else { throw WireReader.Malformed() }
        self = text
    }
    package func write(to writer: inout WireWriter) { writer.append(utf8) }
}

extension Double: CopiedScalar {
    package init(from reader: inout WireReader) throws { self = Double(bitPattern: try reader.readNumber()) }
    package func write(to writer: inout WireWriter) { writer.append(bitPattern) }
}

extension Float: CopiedScalar {
    package init(from reader: inout WireReader) throws { self = Float(bitPattern: try reader.readNumber()) }
    package func write(to writer: inout WireWriter) { writer.append(bitPattern) }
}

extension Optional: WireEncodable where Wrapped: WireEncodable {
    package func write(to writer: inout WireWriter) {
        writer.write(self != nil)
        self?.write(to: &writer)
    }
}

extension Optional: WireDecodable where Wrapped: WireDecodable {
    package init(from reader: inout WireReader) throws {
        self = try reader.read(Bool.self) ? try reader.nested { try Wrapped(from: &$0) } : nil
    }
}

extension Array: WireEncodable where Element: WireEncodable {
    package func write(to writer: inout WireWriter) {
        if let bytes = self as? [UInt8] { return writer.append(bytes) }
        writer.write(self) { $1.write(to: &$0) }
    }
}

extension Array: WireDecodable where Element: WireDecodable {
    package init(from reader: inout WireReader) throws {
        // Bytes in one step, because there can be many.
        if Element.self == UInt8.self, let bytes = try reader.readBytes() as? [Element] {
            self = bytes
            return
        }
        self = try reader.readList { try Element(from: &$0) }
    }
}

extension Dictionary: WireEncodable where Key: WireEncodable, Value: WireEncodable {
    package func write(to writer: inout WireWriter) {
        writer.write(Array(self)) { $0.write($1.key, $1.value) }
    }
}

extension Dictionary: WireDecodable where Key: WireDecodable, Value: WireDecodable {
    package init(from reader: inout WireReader) throws {
        let items = try reader.readList(copies: 3) { (try Key(from: &$0), try Value(from: &$0)) }
        self = Dictionary(items) { first, _ in first }
    }
}
