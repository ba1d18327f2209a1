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
            throw ZipError(.malformed, "a record needs \(count) bytes where \(rest.count) are left")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func field<Field: FixedWidthInteger>(_ type: Field.Type = Field.self) throws(ZipError) -> Field {
        try take(Field.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Field(truncatingIfNeeded: $1) }
    }
}

extension [UInt8] {
    package mutating func append<Field: FixedWidthInteger>(field: Field) {
        Swift.withUnsafeBytes(of: field.littleEndian) { append(contentsOf: $0) }
    }
}

/// A pass over the fields of a record, which reads or writes each in turn.
package protocol FieldPass {
    mutating func pass<Field: FixedWidthInteger>(_ field: inout Field) throws(ZipError)
    /// Reads or writes bytes, as many as the record says.
    mutating func pass(_ bytes: inout [UInt8], count: UInt16) throws(ZipError)
}

extension ByteCursor: FieldPass {
    mutating func pass<Field: FixedWidthInteger>(_ value: inout Field) throws(ZipError) { value = try field() }

    mutating func pass(_ bytes: inout [UInt8], count: UInt16) throws(ZipError) { bytes = Array(try take(Int(count))) }
}

/// A record that begins with a signature, and lists its fields once for reading and writing.
package protocol SignedRecord {
    static var signature: UInt32 { get }
    /// The problem where the signature is missing.
    static var absence: String { get }

    init()
    mutating func pass(_ fields: inout some FieldPass) throws(ZipError)
}

extension SignedRecord {
    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.field() == Self.signature else { throw ZipError(.malformed, Self.absence) }
        self.init()
        try pass(&cursor)
    }
}

/// The general purpose flags of an entry.
///
/// See APPNOTE 4.4.4.
package struct HeaderFlags: OptionSet {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    static let encrypted = Self(rawValue: 1 << 0)
    /// The compression level, which has no effect on decompression.
    static let deflateLevel = Self(rawValue: 0b11 << 1)
    /// A data descriptor with sizes and CRC follows the data, for writers that cannot seek.
    static let dataDescriptor = Self(rawValue: 1 << 3)
    static let strongEncryption = Self(rawValue: 1 << 6)
    package static let utf8 = Self(rawValue: 1 << 11)
    static let maskedHeaders = Self(rawValue: 1 << 13)

    static let understood: Self = [.deflateLevel, .dataDescriptor, .utf8]
}

/// The fields that both headers of an entry have.
package struct HeaderFields {
    package var versionNeeded: UInt16 = 0
    package var flags: HeaderFlags = []
    package var method: UInt16 = 0
    package var time: UInt16 = 0
    package var date: UInt16 = 0
    package var crc32: UInt32 = 0
    package var compressedSize: UInt32 = 0
    package var uncompressedSize: UInt32 = 0

    package mutating func pass(_ fields: inout some FieldPass) throws(ZipError) {
        try fields.pass(&versionNeeded)
        try fields.pass(&flags.rawValue)
        try fields.pass(&method)
        try fields.pass(&time)
        try fields.pass(&date)
        try fields.pass(&crc32)
        try fields.pass(&compressedSize)
        try fields.pass(&uncompressedSize)
    }
}

/// An entry of the central directory, parsed but not validated.
///
/// See APPNOTE 4.3.12.
@dynamicMemberLookup
package struct CentralHeader: SignedRecord {
    package static let signature: UInt32 = 0x0201_4b50
    package static let absence = "no entry where the directory should have one"
    /// The size without name, extra fields and comment.
    package static let size = 46

    package var madeBy: UInt16 = 0
    package var fields = HeaderFields()
    package var disk: UInt16 = 0
    var internalAttributes: UInt16 = 0
    package var externalAttributes: UInt32 = 0
    package var offset: UInt32 = 0
    package var name: [UInt8] = []
    var extra: [UInt8] = []
    package var comment: [UInt8] = []

    package init() {}

    /// The name for errors, with invalid UTF-8 replaced.
    var displayName: String { String(decoding: name, as: UTF8.self) }

    package subscript<Value>(dynamicMember field: WritableKeyPath<HeaderFields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }

    package mutating func pass(_ record: inout some FieldPass) throws(ZipError) {
        try record.pass(&madeBy)
        try fields.pass(&record)
        var sizes = [name, extra, comment].map { UInt16(clamping: $0.count) }
        for index in sizes.indices { try record.pass(&sizes[index]) }
        try record.pass(&disk)
        try record.pass(&internalAttributes)
        try record.pass(&externalAttributes)
        try record.pass(&offset)
        try record.pass(&name, count: sizes[0])
        try record.pass(&extra, count: sizes[1])
        try record.pass(&comment, count: sizes[2])
    }
}

/// The header before an entry's data, without its name and extra fields.
///
/// See APPNOTE 4.3.7.
@dynamicMemberLookup
package struct LocalHeader: SignedRecord {
    package static let signature: UInt32 = 0x0403_4b50
    package static let absence = "no local header where the directory points"
    package static let size = 30

    package var fields = HeaderFields()
    package var nameSize: UInt16 = 0
    var extraSize: UInt16 = 0

    package init() {}

    package subscript<Value>(dynamicMember field: WritableKeyPath<HeaderFields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }

    package mutating func pass(_ record: inout some FieldPass) throws(ZipError) {
        try fields.pass(&record)
        try record.pass(&nameSize)
        try record.pass(&extraSize)
    }
}
