/// The rules for an entry of the central directory.
enum HeaderRules {
    static func validate(_ header: CentralHeader, limits: ZipLimits) throws(ZipError) -> DirectoryEntry {
        do throws(ZipError) {
            let method = try validateFeatures(header)
            let path = try EntryPath(header.name)
            try ExtraFields.validate(header.extra, beside: header.name)
            try validateEncoding(header)
            try validateKind(header, isFolder: path.isFolder)
            try validateSizes(header, method, isFolder: path.isFolder)
            // The root is not extracted, so only other readers would see its content.
            guard !path.isRoot || header.compressedSize == 0 && header.crc32 == 0 && method == .stored else {
                throw ZipError(.malformed, "the root folder of the archive has content")
            }
            guard header.isWithin(ratio: limits.compressionRatio) else {
                throw ZipError(
                    .limitExceeded,
                    "\(header.uncompressedSize) bytes out of \(header.compressedSize), \(limits.compressionRatio) times as many allowed"
                )
            }
            return DirectoryEntry(header: header, path: path, method: method)
        } catch {
            throw error.inEntry(header.displayName)
        }
    }

    private static func validateFeatures(_ header: CentralHeader) throws(ZipError) -> ZipMethod {
        guard header.flags.isDisjoint(with: [.encrypted, .strongEncryption, .maskedHeaders]) else {
            throw ZipError(.unsupported, "encrypted")
        }
        guard header.flags.isSubset(of: .understood) else {
            throw ZipError(.unsupported, "flags \(String(header.flags.rawValue, radix: 2))")
        }
        guard let method = ZipMethod(rawValue: header.method) else {
            throw ZipError(.unsupported, "compression method \(header.method)")
        }
        guard ![header.compressedSize, header.uncompressedSize, header.offset].contains(.max) else {
            throw ZipError(.unsupported, "ZIP64 sizes, for more than 4 GiB")
        }
        guard header.disk == 0 else { throw ZipError(.unsupported, "an archive on several disks") }
        return method
    }

    /// Checks the encoding of the name.
    ///
    /// Without the UTF-8 flag, a name is in code page 437 by the specification. Info-ZIP and libarchive write the system's bytes unless the
    /// locale uses UTF-8, and mark the entry as made on Unix, where the bytes are used unchanged.
    private static func validateEncoding(_ header: CentralHeader) throws(ZipError) {
        guard header.flags.contains(.utf8) || header.madeBy >> 8 == 3 || header.name.allSatisfy({ $0 < 0x80 }) else {
            throw ZipError(.unsafeName, "not ASCII, and neither marked as UTF-8 nor created on Unix")
        }
    }

    private static func validateKind(_ header: CentralHeader, isFolder: Bool) throws(ZipError) {
        // Some readers skip entries with these attributes.
        guard header.externalAttributes & (UnixMode.dosLabel | UnixMode.dosDevice) == 0 else {
            throw ZipError(.specialFile, "marked as a volume's label or a device")
        }
        let kind = UnixMode(header).kind
        guard kind != .special else { throw ZipError(.specialFile, "neither a file nor a folder") }
        let marksFolder = kind == .folder || header.externalAttributes & UnixMode.dosFolder != 0
        guard isFolder ? kind != .file : !marksFolder else {
            throw ZipError(.malformed, "its attributes and its name disagree about being a folder")
        }
    }

    private static func validateSizes(
        _ header: CentralHeader, _ method: ZipMethod, isFolder: Bool
    ) throws(ZipError) {
        if method == .stored, header.compressedSize != header.uncompressedSize {
            throw ZipError(.malformed, "stored, but with two sizes")
        }
        if isFolder, header.uncompressedSize != 0 {
            throw ZipError(.malformed, "a folder with content")
        }
        guard header.isWithin(ratio: ZlibStream.maximumRatio) else {
            throw ZipError(
                .sizeMismatch,
                "\(header.uncompressedSize) bytes cannot come out of \(header.compressedSize)")
        }
    }
}

extension CentralHeader {
    fileprivate func isWithin(ratio: UInt64) -> Bool {
        let (most, overflows) = UInt64(self.compressedSize).multipliedReportingOverflow(by: ratio)
        return overflows || self.uncompressedSize <= most
    }
}
