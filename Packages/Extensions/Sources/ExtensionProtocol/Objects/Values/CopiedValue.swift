package import PluginCore

/// A value that passes to the other process as a copy, and has the same type there.
package protocol CopiedValue: WireValue {
    /// The description of the type, as ``CopiedTypes`` reads it.
    static var typeDescription: [UInt8] { get }
}

/// The numbers that describe types. A type with elements is followed by theirs.
enum CopiedTypes {
    static let optional: UInt8 = 64
    static let array: UInt8 = 65
    static let set: UInt8 = 66
    static let dictionary: UInt8 = 67

    /// The types without elements. The index is the number.
    static let simple: [any CopiedScalar.Type] = [
        Bool.self, String.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
        UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, CodedValue.self, ResourceURI.self,
    ]

    /// The maximum depth of types. The system never frees the description of a type, so the other process must not create any number.
    private static let maximumDepth = 3

    /// Reads the description of a type.
    static func read(from reader: inout WireReader, depth: Int = 0) throws -> any CopiedValue.Type {
        let number = try reader.read(UInt8.self)
        if simple.indices.contains(Int(number)) { return simple[Int(number)] }
        guard depth < maximumDepth else { throw WireReader.Malformed() }
        return try reader.nested { reader in
            switch number {
            case optional: return makeOptional(try read(from: &reader, depth: depth + 1))
            case array: return makeArray(try read(from: &reader, depth: depth + 1))
            case set: return makeSet(try readScalar(from: &reader))
            case dictionary:
                let key = try readScalar(from: &reader)
                return makeDictionary(key, try read(from: &reader, depth: depth + 1))
            default: throw WireReader.Malformed()
            }
        }
    }

    private static func readScalar(from reader: inout WireReader) throws -> any CopiedScalar.Type {
        let number = Int(try reader.read(UInt8.self))
        guard simple.indices.contains(number) else { throw WireReader.Malformed() }
        return simple[number]
    }

    private static func makeOptional<T: CopiedValue>(_ type: T.Type) -> any CopiedValue.Type { T?.self }
    private static func makeArray<T: CopiedValue>(_ type: T.Type) -> any CopiedValue.Type { [T].self }
    private static func makeSet<T: CopiedScalar>(_ type: T.Type) -> any CopiedValue.Type { Set<T>.self }
    private static func makeDictionary<K: CopiedScalar, V: CopiedValue>(
        _ key: K.Type, _ value: V.Type
    ) -> any CopiedValue.Type { [K: V].self }
}

/// A copied value of a type without elements, which may be an element of a set and a key of a dictionary.
package protocol CopiedScalar: CopiedValue, Hashable {}

extension CopiedScalar {
    package static var typeDescription: [UInt8] {
        CopiedTypes.simple.indices.filter { CopiedTypes.simple[$0] == Self.self }.map { UInt8($0) }
    }
}

extension Int: CopiedScalar {}
extension Int8: CopiedScalar {}
extension Int16: CopiedScalar {}
extension Int32: CopiedScalar {}
extension Int64: CopiedScalar {}
extension UInt: CopiedScalar {}
extension UInt8: CopiedScalar {}
extension UInt16: CopiedScalar {}
extension UInt32: CopiedScalar {}
extension UInt64: CopiedScalar {}

extension CodedValue: CopiedScalar {
    package init(from reader: inout WireReader) throws { self.init(json: try reader.read()) }
    package func write(to writer: inout WireWriter) { writer.write(json) }
}

extension ResourceURI: CopiedScalar {
    package init(from reader: inout WireReader) throws { self = try reader.readAddress() }
    package func write(to writer: inout WireWriter) { writer.write(text) }
}

extension Optional: CopiedValue where Wrapped: CopiedValue {
    package static var typeDescription: [UInt8] { [CopiedTypes.optional] + Wrapped.typeDescription }
}

extension Array: CopiedValue where Element: CopiedValue {
    package static var typeDescription: [UInt8] { [CopiedTypes.array] + Element.typeDescription }
}

extension Dictionary: CopiedValue where Key: CopiedScalar, Value: CopiedValue {
    package static var typeDescription: [UInt8] {
        [CopiedTypes.dictionary] + Key.typeDescription + Value.typeDescription
    }
}

extension Set: WireEncodable, WireDecodable, CopiedValue where Element: CopiedScalar {
    package static var typeDescription: [UInt8] { [CopiedTypes.set] + Element.typeDescription }
    package init(from reader: inout WireReader) throws {
        self = Set(try reader.readList(copies: 3) { try Element(from: &$0) })
    }
    package func write(to writer: inout WireWriter) { writer.write(Array(self)) }
}
