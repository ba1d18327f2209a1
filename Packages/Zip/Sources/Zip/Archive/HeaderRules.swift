/// The rules for an entry of the central directory.
enum HeaderRules {
    static func validate(_ header: CentralHeader, limits: ZipLimits) throws(ZipError) -> DirectoryEntry {
        do throws(ZipError) {
            let method = try validateFeatures(header)
            let extra = try ExtraFields(header.extra)
            let path = try EntryPath(header.name)
            try extra.validateUnicodePath(beside: header.name)
            try validateEncoding(header)
            try validateKind(header, isFolder: path.isFolder)
            let sizes = try EntrySizes(header, extra)
            try validateSizes(sizes, method, isFolder: path.isFolder)
            // The root is not extracted, so only other readers would see its content.
            guard !path.isRoot || sizes.compressed == 0 && header.crc32 == 0 && method == .stored else {
                throw ZipError(.malformed, detail: "the root folder of the archive has content")
            }
            let (most, overflows) = sizes.compressed.multipliedReportingOverflow(by: limits.compressionRatio)
            guard overflows || sizes.uncompressed <= most else {
                throw ZipError(
                    .limitExceeded,
                    detail:
                        "\(sizes.uncompressed) bytes out of \(sizes.compressed), \(limits.compressionRatio) times as many allowed"
                )
            }
            return DirectoryEntry(header: header, path: path, method: method, sizes: sizes)
        } catch {
            throw error.inEntry(header.displayName)
        }
    }

    private static func validateFeatures(_ header: CentralHeader) throws(ZipError) -> ZipMethod {
        guard header.flags.isDisjoint(with: .anyEncryption) else {
            throw ZipError(.unsupported, detail: "encrypted")
        }
        guard header.flags.isSubset(of: .understood) else {
            throw ZipError(.unsupported, detail: "flags \(String(header.flags.rawValue, radix: 2))")
        }
        guard let method = ZipMethod(rawValue: header.method) else {
            throw ZipError(.unsupported, detail: "compression method \(header.method)")
        }
        return method
    }

    /// Checks the encoding of the name.
    ///
    /// Without the UTF-8 flag, a name is in code page 437 by the specification. Info-ZIP and libarchive write the system's bytes unless the
    /// locale uses UTF-8, and mark the entry as made on Unix, where the bytes are used unchanged.
    private static func validateEncoding(_ header: CentralHeader) throws(ZipError) {
        guard header.flags.contains(.utf8) || header.madeBy >> 8 == 3 || header.name.allSatisfy({ $0 < 0x80 }) else {
            throw ZipError(.unsafeName, detail: "not ASCII, and neither marked as UTF-8 nor created on Unix")
        }
    }

    private static func validateKind(_ header: CentralHeader, isFolder: Bool) throws(ZipError) {
        // Some readers skip entries with these attributes.
        guard header.externalAttributes & (UnixMode.dosLabel | UnixMode.dosDevice) == 0 else {
            throw ZipError(.specialFile, detail: "marked as a volume's label or a device")
        }
        let kind = UnixMode(header).kind
        guard kind != .special else { throw ZipError(.specialFile, detail: "neither a file nor a folder") }
        let marksFolder = kind == .folder || header.externalAttributes & UnixMode.dosFolder != 0
        guard isFolder ? kind != .file : !marksFolder else {
            throw ZipError(.malformed, detail: "its attributes and its name disagree about being a folder")
        }
    }

    private static func validateSizes(
        _ sizes: EntrySizes, _ method: ZipMethod, isFolder: Bool
    ) throws(ZipError) {
        if method == .stored, sizes.compressed != sizes.uncompressed {
            throw ZipError(.malformed, detail: "stored, but with two sizes")
        }
        if isFolder, sizes.uncompressed != 0 {
            throw ZipError(.malformed, detail: "a folder with content")
        }
        let (most, overflows) = sizes.compressed.multipliedReportingOverflow(by: Inflater.maximumRatio)
        guard overflows || sizes.uncompressed <= most else {
            throw ZipError(
                .sizeMismatch, detail: "\(sizes.uncompressed) bytes cannot come out of \(sizes.compressed)")
        }
    }
}
