/// An entry of the directory whose own fields were found good, with the sizes that its ZIP64 field may hold.
struct DirectoryEntry {
    let header: CentralHeader
    let path: EntryPath
    let method: ZipMethod
    let compressedSize: UInt64
    let uncompressedSize: UInt64
    let offset: UInt64

    /// A Boolean value that indicates whether a size has no place in 32 bits, the last value of which says "see ZIP64".
    var needsZip64: Bool { max(compressedSize, uncompressedSize) >= UInt64(UInt32.max) }
}
