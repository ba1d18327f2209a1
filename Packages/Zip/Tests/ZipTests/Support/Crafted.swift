@testable import Zip

/// An archive put together field by field, so that a test can get one field wrong.
struct Crafted {
    struct Entry {
        var central: CentralHeader
        var local: LocalHeader
        var localName: [UInt8]
        var localExtra: [UInt8] = []
        var data: [UInt8]
        var trailer: [UInt8] = []
    }

    var entries: [Entry]
    var prefix: [UInt8] = []
    var beforeDirectory: [UInt8] = []
    var comment: [UInt8] = []
    var editEnd: (inout EndRecord) -> Void = { _ in }
    var suffix: [UInt8] = []

    var bytes: [UInt8] {
        var bytes = prefix
        var directory: [UInt8] = []
        for entry in entries {
            var central = entry.central
            central.offset &+= UInt32(bytes.count)
            central.append(to: &directory)
            entry.local.append(to: &bytes)
            bytes += entry.localName + entry.localExtra + entry.data + entry.trailer
        }
        bytes += beforeDirectory
        var end = EndRecord(
            entriesOnDisk: UInt16(entries.count), entryCount: UInt16(entries.count),
            directorySize: UInt32(directory.count), directoryOffset: UInt32(bytes.count),
            commentSize: UInt16(comment.count))
        editEnd(&end)
        bytes += directory
        end.append(to: &bytes)
        return bytes + comment + suffix
    }

    /// Stored entries, all sound.
    init(_ files: [(name: [UInt8], data: [UInt8])]) {
        entries = files.map { file in
            var crc = CRC32()
            crc.update(file.data.span.bytes)
            let central = CentralHeader(
                madeBy: 3 << 8 | 20, versionNeeded: 20, flags: file.name.contains { $0 >= 0x80 } ? .utf8 : [],
                method: 0, time: 0, date: 0x21, crc32: crc.value, compressedSize: UInt32(file.data.count),
                uncompressedSize: UInt32(file.data.count), externalAttributes: 0, offset: 0, name: file.name)
            return Entry(
                central: central, local: LocalHeader(matching: central), localName: file.name, data: file.data)
        }
    }

    init(names: [String]) {
        self.init(names.map { (Array($0.utf8), $0.hasSuffix("/") ? [] : Array("data".utf8)) })
    }

    /// Changes both headers of an entry alike.
    mutating func edit(_ index: Int = 0, _ change: (inout CentralHeader) -> Void) {
        change(&entries[index].central)
        let local = LocalHeader(matching: entries[index].central)
        entries[index].local = local
        entries[index].localName = entries[index].central.name
    }
}

/// Opens an archive and extracts it to `folder/out`.
func extract(_ bytes: [UInt8], in folder: String, limits: ZipLimits = .none) throws -> [String: [UInt8]] {
    try writeFile(bytes, to: "\(folder)/a.zip")
    try ZipArchive(path: "\(folder)/a.zip", limits: limits).extract(to: "\(folder)/out")
    return try tree("\(folder)/out")
}
