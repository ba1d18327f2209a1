/// One file or folder of an archive, as its central directory describes it and after it was judged.
public struct ZipEntry: Hashable, Sendable {
    /// The path relative to the archive, components separated by `/`; a folder's name ends in one.
    public let name: String
    /// How the bytes are stored.
    public let method: ZipMethod
    /// CRC-32 of the content, by ISO 3309.
    public let crc32: UInt32
    /// Bytes in the archive.
    public let compressedSize: UInt64
    /// Bytes of content.
    public let uncompressedSize: UInt64
    /// Where the entry's local header is, in bytes from the start of the file.
    public let offset: UInt64
    /// Permission bits (`0o7777` at most) as archived; 0o644 or 0o755 when the archive has none.
    public let mode: UInt16

    let dataOffset: UInt64

    /// True for a folder, which has no content.
    public var isDirectory: Bool { name.utf8.last == UInt8(ascii: "/") }

    /// True when the archived mode lets the owner execute the file.
    public var isExecutable: Bool { !isDirectory && mode & 0o100 != 0 }
}
