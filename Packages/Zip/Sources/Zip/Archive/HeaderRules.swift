/// What may stand in one entry of the central directory.
enum HeaderRules {
    /// Answers where the entry goes when nothing is wrong with it.
    static func judge(_ header: CentralHeader) throws(ZipError) -> EntryPath {
        do throws(ZipError) {
            try judgeFeatures(header)
            try ExtraFields.judge(header.extra)
            let path = try EntryPath(header.name)
            guard header.flags.contains(.utf8) || header.name.allSatisfy({ $0 < 0x80 }) else {
                throw ZipError(.unsafeName, detail: "not ASCII, and not marked as UTF-8")
            }
            try judgeKind(header, isFolder: path.isFolder)
            try judgeSizes(header, isFolder: path.isFolder)
            return path
        } catch {
            throw error.inEntry(header.displayName)
        }
    }

    static func unsupportedMethod(_ header: CentralHeader) -> ZipError {
        ZipError(.unsupported, entry: header.displayName, detail: "compression method \(header.method)")
    }

    private static func judgeFeatures(_ header: CentralHeader) throws(ZipError) {
        guard header.flags.isDisjoint(with: .anyEncryption) else {
            throw ZipError(.unsupported, detail: "encrypted")
        }
        guard header.flags.isSubset(of: .understood) else {
            throw ZipError(.unsupported, detail: "flags \(String(header.flags.rawValue, radix: 2))")
        }
        guard ZipMethod(rawValue: header.method) != nil else {
            throw unsupportedMethod(header)
        }
        guard header.compressedSize != .max, header.uncompressedSize != .max, header.offset != .max else {
            throw ZipError(.unsupported, detail: "ZIP64 sizes")
        }
        guard header.disk == 0 else {
            throw ZipError(.unsupported, detail: "an archive on several disks")
        }
    }

    private static func judgeKind(_ header: CentralHeader, isFolder: Bool) throws(ZipError) {
        let marksFolder = header.externalAttributes & UnixMode.dosFolder != 0
        switch UnixMode(header).kind {
        case .special: throw ZipError(.specialFile, detail: "neither a file nor a folder")
        case .file where isFolder, .folder where !isFolder:
            throw ZipError(.malformed, detail: "its attributes and its name disagree about being a folder")
        case .file, .folder, nil: break
        }
        guard isFolder || !marksFolder else {
            throw ZipError(.malformed, detail: "its attributes and its name disagree about being a folder")
        }
    }

    private static func judgeSizes(_ header: CentralHeader, isFolder: Bool) throws(ZipError) {
        if header.method == ZipMethod.stored.rawValue, header.compressedSize != header.uncompressedSize {
            throw ZipError(.malformed, detail: "stored, but with two sizes")
        }
        if isFolder, header.uncompressedSize != 0 {
            throw ZipError(.malformed, detail: "a folder with content")
        }
    }
}
