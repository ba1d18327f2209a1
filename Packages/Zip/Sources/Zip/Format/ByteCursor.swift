/// A reader of consecutive little-endian fields. Reading beyond the end throws an error and never traps.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }
    var remaining: Int { rest.count }

    mutating func take(_ count: Int) throws(ZipError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else {
            throw ZipError(.malformed, detail: "a record needs \(count) bytes where \(rest.count) are left")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func u16() throws(ZipError) -> UInt16 { try field() }
    mutating func u32() throws(ZipError) -> UInt32 { try field() }
    mutating func u64() throws(ZipError) -> UInt64 { try field() }

    private mutating func field<Field: FixedWidthInteger & UnsignedInteger>() throws(ZipError) -> Field {
        var value: Field = 0
        for byte in try take(Field.bitWidth / 8).reversed() {
            value = value << 8 | Field(truncatingIfNeeded: byte)
        }
        return value
    }
}

extension [UInt8] {
    mutating func append<Field: FixedWidthInteger>(field: Field) {
        Swift.withUnsafeBytes(of: field.littleEndian) { append(contentsOf: $0) }
    }
}
