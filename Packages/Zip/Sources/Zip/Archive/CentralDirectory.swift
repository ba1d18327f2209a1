/// The entries of the central directory, parsed but not validated.
struct CentralDirectory {
    let offset: UInt64
    let headers: [CentralHeader]

    init(_ file: FileDescriptor, limits: ZipLimits) throws(ZipError) {
        let end = try DirectoryEnd(file, limits: limits)
        // `DirectoryEnd` has checked that this is not larger than the file.
        var bytes = [UInt8](repeating: 0, count: Int(end.directorySize))
        let read = try file.read(into: &bytes, count: bytes.count, at: end.directoryOffset)
        var cursor = ByteCursor(bytes.prefix(read))
        var headers: [CentralHeader] = []
        headers.reserveCapacity(Int(end.entryCount))
        for _ in 0..<end.entryCount {
            headers.append(try CentralHeader(&cursor))
        }
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "\(cursor.remaining) bytes in the directory belong to no entry")
        }
        offset = end.directoryOffset
        self.headers = headers
    }
}
