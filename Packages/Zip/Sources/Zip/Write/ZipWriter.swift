/// Collects what goes into an archive, then writes it. The same content gives the same bytes, whatever
/// the order of adding, the clock, the user or the file system: names are sorted bytewise, the time is always
/// 1980-01-01, modes are 0644 or 0755, and there are no extra fields.
///
/// ```swift
/// var writer = ZipWriter()
/// try writer.add(folder: "Shop.bundle")
/// try writer.add(Array("{}".utf8), as: "signature/seal.json")
/// try writer.write(to: "shop-1.0.0.zip", durability: .synced)
/// ```
public struct ZipWriter: Sendable {
    var items: [Item] = []

    /// An archive without entries.
    public init() {}

    /// Adds a file from memory.
    ///
    /// - Parameters:
    ///   - name: Relative, with `/` between its components; the rules are the same as for reading.
    ///   - method: `.deflated` means the smaller of the two.
    /// - Throws: ``ZipError/Code/unsafeName``.
    public mutating func add(
        _ bytes: [UInt8], as name: String, executable: Bool = false, method: ZipMethod = .deflated
    ) throws(ZipError) {
        items.append(try Item(name, .bytes(bytes, executable: executable), method))
    }

    /// Adds a file from disk, which is read when the archive is written: it may be of any size up to 4 GiB.
    ///
    /// - Parameter executable: `nil` for what its owner may do with it then.
    /// - Throws: ``ZipError/Code/unsafeName``.
    public mutating func add(
        file path: String, as name: String, executable: Bool? = nil, method: ZipMethod = .deflated
    ) throws(ZipError) {
        items.append(try Item(name, .file(path, executable: executable), method))
    }

    /// Adds all that is in a folder, but not the folder itself, and lists it now; contents are read when
    /// the archive is written. Folders get entries of their own, so empty ones survive.
    ///
    /// - Parameter prefix: A folder within the archive, without a slash at its end; "" is the archive's root.
    /// - Throws: ``ZipError/Code/unsafeName``; ``ZipError/Code/specialFile`` for a symbolic link or anything
    ///   else that is neither a file nor a folder; ``ZipError/Code/system``.
    public mutating func add(
        folder path: String, under prefix: String = "", method: ZipMethod = .deflated
    ) throws(ZipError) {
        let found = try FolderWalk.items(below: path, prefix: prefix, method: method)
        items += found
    }

    /// Writes the archive beside `path` and renames it into place, so that there is always the old file or the
    /// whole new one. When it throws, the old file stands and nothing else is left; only if, with `.synced`, the very
    /// last fsync fails, of the folder, the new file is in place already.
    ///
    /// - Throws: ``ZipError``: ``ZipError/Code/nameClash``; ``ZipError/Code/unsupported`` for more than
    ///   65,534 entries or 4 GiB; ``ZipError/Code/specialFile``, ``ZipError/Code/changedWhileReading``,
    ///   ``ZipError/Code/system``.
    public func write(to path: String, durability: ZipDurability = .buffered) throws(ZipError) {
        let items = try sortedItems()
        let output = try ReplacementFile(for: path)
        do throws(ZipError) {
            var encoder = ArchiveEncoder(output.file)
            for item in items {
                try encoder.append(item)
            }
            try encoder.finish()
            try output.commit(durability)
        } catch {
            output.discard()
            throw error
        }
    }

    /// In the archive's order, and free of clashes. A folder that was added twice is the same folder.
    private func sortedItems() throws(ZipError) -> [Item] {
        var sorted: [Item] = []
        for item in items.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            if item.path.isFolder, sorted.last?.name == item.name { continue }
            sorted.append(item)
        }
        try NameClash.judge(sorted.map(\.path))
        return sorted
    }
}

extension ZipWriter {
    /// One entry to be.
    struct Item {
        enum Source {
            case folder
            case bytes([UInt8], executable: Bool)
            case file(String, executable: Bool? = nil)
        }

        let name: [UInt8]
        let path: EntryPath
        let source: Source
        let method: ZipMethod

        init(_ name: String, _ source: Source, _ method: ZipMethod) throws(ZipError) {
            self.name = Array(name.utf8)
            self.source = source
            self.method = method
            path = try EntryPath(plain: self.name)
            let isFolder = if case .folder = source { true } else { false }
            guard path.isFolder == isFolder else {
                throw ZipError(.unsafeName, entry: name, detail: "a file's name must not end in a slash")
            }
        }
    }
}
