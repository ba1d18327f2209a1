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

/// The general purpose flags of an entry.
///
/// See APPNOTE 4.4.4.
struct HeaderFlags: OptionSet {
    let rawValue: UInt16

    static let encrypted = HeaderFlags(rawValue: 1 << 0)
    /// The compression level, which has no effect on decompression.
    static let deflateLevel = HeaderFlags(rawValue: 0b11 << 1)
    /// A data descriptor with sizes and CRC follows the data, for writers that cannot seek.
    static let dataDescriptor = HeaderFlags(rawValue: 1 << 3)
    static let strongEncryption = HeaderFlags(rawValue: 1 << 6)
    static let utf8 = HeaderFlags(rawValue: 1 << 11)
    static let maskedHeaders = HeaderFlags(rawValue: 1 << 13)

    static let anyEncryption: HeaderFlags = [.encrypted, .strongEncryption, .maskedHeaders]
    static let understood: HeaderFlags = [.deflateLevel, .dataDescriptor, .utf8]
}

/// The fields that both headers of an entry have.
struct HeaderFields {
    var versionNeeded: UInt16
    var flags: HeaderFlags
    var method: UInt16
    var time: UInt16
    var date: UInt16
    var crc32: UInt32
    var compressedSize: UInt32
    var uncompressedSize: UInt32
}

extension HeaderFields {
    init(_ cursor: inout ByteCursor) throws(ZipError) {
        versionNeeded = try cursor.u16()
        flags = HeaderFlags(rawValue: try cursor.u16())
        method = try cursor.u16()
        time = try cursor.u16()
        date = try cursor.u16()
        crc32 = try cursor.u32()
        compressedSize = try cursor.u32()
        uncompressedSize = try cursor.u32()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(field: versionNeeded)
        bytes.append(field: flags.rawValue)
        bytes.append(field: method)
        bytes.append(field: time)
        bytes.append(field: date)
        bytes.append(field: crc32)
        bytes.append(field: compressedSize)
        bytes.append(field: uncompressedSize)
    }
}

/// An entry of the central directory, parsed but not validated.
///
/// See APPNOTE 4.3.12.
@dynamicMemberLookup
struct CentralHeader {
    static let signature: UInt32 = 0x0201_4b50
    /// The size without name, extra fields and comment.
    static let size = 46

    var madeBy: UInt16
    var fields: HeaderFields
    var disk: UInt16 = 0
    var internalAttributes: UInt16 = 0
    var externalAttributes: UInt32
    var offset: UInt32
    var name: [UInt8]
    var extra: [UInt8] = []
    var comment: [UInt8] = []

    /// The name for errors, with invalid UTF-8 replaced.
    var displayName: String { String(decoding: name, as: UTF8.self) }

    subscript<Value>(dynamicMember field: WritableKeyPath<HeaderFields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }
}

extension CentralHeader {
    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else {
            throw ZipError(.malformed, detail: "no entry where the directory should have one")
        }
        madeBy = try cursor.u16()
        fields = try HeaderFields(&cursor)
        let nameSize = try cursor.u16()
        let extraSize = try cursor.u16()
        let commentSize = try cursor.u16()
        disk = try cursor.u16()
        internalAttributes = try cursor.u16()
        externalAttributes = try cursor.u32()
        offset = try cursor.u32()
        name = Array(try cursor.take(Int(nameSize)))
        extra = Array(try cursor.take(Int(extraSize)))
        comment = Array(try cursor.take(Int(commentSize)))
    }

    /// Appends the encoded header. Name, extra fields and comment must each be shorter than 64 KiB.
    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        bytes.append(field: madeBy)
        fields.append(to: &bytes)
        bytes.append(field: UInt16(clamping: name.count))
        bytes.append(field: UInt16(clamping: extra.count))
        bytes.append(field: UInt16(clamping: comment.count))
        bytes.append(field: disk)
        bytes.append(field: internalAttributes)
        bytes.append(field: externalAttributes)
        bytes.append(field: offset)
        bytes += name
        bytes += extra
        bytes += comment
    }
}

/// The header before an entry's data, without its name and extra fields.
///
/// See APPNOTE 4.3.7.
@dynamicMemberLookup
struct LocalHeader {
    static let signature: UInt32 = 0x0403_4b50
    static let size = 30

    var fields: HeaderFields
    var nameSize: UInt16
    var extraSize: UInt16 = 0

    subscript<Value>(dynamicMember field: WritableKeyPath<HeaderFields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }
}

extension LocalHeader {
    /// Creates the local header for a directory entry without extra fields.
    init(matching central: CentralHeader) {
        self.init(fields: central.fields, nameSize: UInt16(clamping: central.name.count))
    }

    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else {
            throw ZipError(.malformed, detail: "no local header where the directory points")
        }
        fields = try HeaderFields(&cursor)
        nameSize = try cursor.u16()
        extraSize = try cursor.u16()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        fields.append(to: &bytes)
        bytes.append(field: nameSize)
        bytes.append(field: extraSize)
    }
}

/// The CRC and the sizes after an entry's data, with or without the customary signature.
///
/// See APPNOTE 4.3.9.
struct DataDescriptor {
    static let signature: UInt32 = 0x0807_4b50

    var crc32: UInt32
    var compressedSize: UInt64
    var uncompressedSize: UInt64
}

extension DataDescriptor {
    /// The possible sizes, without and with signature.
    static func sizes(isZip64: Bool) -> [UInt64] { isZip64 ? [20, 24] : [12, 16] }

    /// Parses all bytes between the data and the next record. Their number determines the format.
    init(_ bytes: ArraySlice<UInt8>, isZip64: Bool) throws(ZipError) {
        var cursor = ByteCursor(bytes)
        if UInt64(bytes.count) == Self.sizes(isZip64: isZip64).last, try cursor.u32() != Self.signature {
            throw ZipError(.malformed, detail: "no data descriptor after the data")
        }
        crc32 = try cursor.u32()
        compressedSize = isZip64 ? try cursor.u64() : UInt64(try cursor.u32())
        uncompressedSize = isZip64 ? try cursor.u64() : UInt64(try cursor.u32())
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "no data descriptor after the data")
        }
    }
}
