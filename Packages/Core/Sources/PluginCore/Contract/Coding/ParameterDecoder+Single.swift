/// Decoding of a single value. A list or structure in its place is decoded as such.
extension ParameterDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .texts(let texts) = found { texts.isEmpty } else { false }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type) }
    func decode(_ type: Bool.Type) throws -> Bool { try text(type) }
    func decode(_ type: String.Type) throws -> String { try text(type) }
    func decode(_ type: Double.Type) throws -> Double { try text(type) }
    func decode(_ type: Float.Type) throws -> Float { try text(type) }
    func decode(_ type: Int.Type) throws -> Int { try text(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try text(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try text(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try text(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try text(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try text(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try text(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try text(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try text(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try text(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try text(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try text(type) }
}
