/// A validated file or folder of an archive, as its central directory describes it.
public struct ZipEntry: Hashable, Sendable {
    /// The relative path with slashes between components. The name of a folder ends with a slash.
    public let name: String
    /// The compression method.
    public let method: ZipMethod
    /// The CRC-32 of the content, by ISO 3309.
    public let crc32: UInt32
    /// The compressed size in bytes.
    public let compressedSize: UInt64
    /// The uncompressed size in bytes.
    public let uncompressedSize: UInt64
    /// The offset of the local header in the file, in bytes.
    public let offset: UInt64
    /// The permission bits in the archive, or default values if it contains none.
    ///
    /// The defaults are 0o644 and 0o755; no other bits than `0o7777` are set.
    public let mode: UInt16

    let dataOffset: UInt64

    /// A Boolean value that indicates whether the entry is a folder, which has no content.
    public var isDirectory: Bool { name.utf8.last == UInt8(ascii: "/") }

    /// A Boolean value that indicates whether the owner may execute the file.
    public var isExecutable: Bool { !isDirectory && mode & 0o100 != 0 }
}
