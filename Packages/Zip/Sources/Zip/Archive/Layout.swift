/// Checks that the entries lie in the file one behind the other, from its first byte to the directory,
/// and that each local header says what the directory says. So no entry can share bytes with another,
/// and nothing hides between them for a reader that goes through the file from the front.
struct Layout {
    let file: FileDescriptor
    let directory: CentralDirectory

    /// Answers where each entry's data starts, in the directory's order.
    func judge() throws(ZipError) -> [UInt64] {
        let headers = directory.headers
        var dataOffsets = [UInt64](repeating: 0, count: headers.count)
        let order = headers.indices.sorted { headers[$0].offset < headers[$1].offset }
        let starts = order.map { UInt64(headers[$0].offset) } + [directory.offset]
        guard starts.first == 0 else {
            throw ZipError(.malformed, detail: "bytes before the first entry")
        }
        for (rank, index) in order.enumerated() {
            do throws(ZipError) {
                dataOffsets[index] = try judge(headers[index], endsAt: starts[rank + 1])
            } catch {
                throw error.inEntry(headers[index].displayName)
            }
        }
        return dataOffsets
    }

    private func judge(_ central: CentralHeader, endsAt end: UInt64) throws(ZipError) -> UInt64 {
        let start = UInt64(central.offset)
        let head = try bytes(at: start, count: LocalHeader.size + central.name.count, before: end)
        var cursor = ByteCursor(head[...])
        let local = try LocalHeader(&cursor)
        try compare(local, central)
        guard try cursor.take(central.name.count).elementsEqual(central.name) else {
            throw ZipError(.headerMismatch, detail: "the local header has another name")
        }
        let extraOffset = start + UInt64(head.count)
        try ExtraFields.judge(try bytes(at: extraOffset, count: Int(local.extraSize), before: end))

        let dataOffset = extraOffset + UInt64(local.extraSize)
        let dataEnd = dataOffset + UInt64(central.compressedSize)
        guard dataEnd <= end else {
            throw ZipError(.malformed, detail: "its data runs into the next record")
        }
        try judgeTrailer(central, from: dataEnd, to: end)
        return dataOffset
    }

    private func compare(_ local: LocalHeader, _ central: CentralHeader) throws(ZipError) {
        func mismatch(_ detail: String) -> ZipError { ZipError(.headerMismatch, detail: detail) }
        guard local.flags.subtracting(.deflateLevel) == central.flags.subtracting(.deflateLevel) else {
            throw mismatch("the local header has other flags")
        }
        guard local.method == central.method else { throw mismatch("the local header has another method") }
        guard Int(local.nameSize) == central.name.count else { throw mismatch("the local header has another name") }
        // With a descriptor the writer did not know yet: it says nothing (0) or the truth.
        let mayBeZero = central.flags.contains(.dataDescriptor)
        let pairs = [
            (local.crc32, central.crc32), (local.compressedSize, central.compressedSize),
            (local.uncompressedSize, central.uncompressedSize),
        ]
        for (local, central) in pairs where local != central && !(mayBeZero && local == 0) {
            throw mismatch("the local header has another CRC or size")
        }
    }

    private func judgeTrailer(_ central: CentralHeader, from start: UInt64, to end: UInt64) throws(ZipError) {
        let size = end - start
        guard central.flags.contains(.dataDescriptor) else {
            guard size == 0 else { throw ZipError(.malformed, detail: "\(size) bytes behind it belong to no entry") }
            return
        }
        guard size == 12 || size == 16 else {
            throw ZipError(.malformed, detail: "\(size) bytes where its data descriptor should be")
        }
        let descriptor = try DataDescriptor(try bytes(at: start, count: Int(size), before: end)[...])
        guard descriptor.crc32 == central.crc32, descriptor.compressedSize == central.compressedSize,
            descriptor.uncompressedSize == central.uncompressedSize
        else {
            throw ZipError(.headerMismatch, detail: "the data descriptor has another CRC or size")
        }
    }

    private func bytes(at offset: UInt64, count: Int, before end: UInt64) throws(ZipError) -> [UInt8] {
        guard offset <= end, UInt64(count) <= end - offset else {
            throw ZipError(.malformed, detail: "its header runs into the next record")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard try file.read(into: &bytes, count: count, at: offset) == count else {
            throw ZipError(.malformed, detail: "the file ends inside its header")
        }
        return bytes
    }
}
