/// A directory entry with valid fields and with the sizes from its ZIP64 field, if any.
struct DirectoryEntry {
    let header: CentralHeader
    let path: EntryPath
    let method: ZipMethod
    let compressedSize: UInt64
    let uncompressedSize: UInt64
    let offset: UInt64

    /// A Boolean value that indicates whether a size exceeds 32 bits, whose maximum refers to the ZIP64 field.
    var needsZip64: Bool { max(compressedSize, uncompressedSize) >= UInt64(UInt32.max) }
}
