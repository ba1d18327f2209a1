import HostSystem
public import Zip

/// A writer of archives. Equal contents result in equal bytes.
///
/// The order of adding, the clock, the user and the file system do not matter: names are sorted by bytes, the time is always 1980-01-01,
/// modes are 0644 or 0755, and there are no extra fields.
///
/// ```swift
/// var writer = ZipWriter()
/// try writer.add(file: "Shop.bundle/manifest.json", as: "manifest.json")
/// try writer.add(Array("{}".utf8), as: "signature/seal.json")
/// try writer.write(to: "shop-1.0.0.zip", durability: .synced)
/// ```
public struct ZipWriter: Sendable {
    var items: [Item] = []

    /// Creates a writer without entries.
    public init() {}

    /// Adds a file from memory.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The relative name with slashes between components. The same rules as for reading apply.
    ///   - method: With `.deflated`, the smaller one of both methods is used.
    /// - Throws: ``ZipError/Code/unsafeName``.
    public mutating func add(
        _ bytes: [UInt8], as name: String, executable: Bool = false, method: ZipMethod = .deflated
    ) throws(ZipError) {
        items.append(try Item(name, .bytes(bytes, executable: executable), method))
    }

    /// Adds a file from disk, which is read when the archive is written. It may have up to 4 GiB.
    ///
    /// - Parameter executable: Whether the file is executable, or `nil` to use the mode of the file at the time of writing.
    /// - Throws: ``ZipError/Code/unsafeName``.
    public mutating func add(
        file path: String, as name: String, executable: Bool? = nil, method: ZipMethod = .deflated
    ) throws(ZipError) {
        items.append(try Item(name, .file(path, executable: executable), method))
    }

    /// Adds a folder without content, whose name ends in a slash.
    ///
    /// - Throws: ``ZipError/Code/unsafeName``.
    public mutating func add(emptyFolder name: String) throws(ZipError) {
        items.append(try Item(name, .folder, .stored))
    }

    /// Writes the archive to a temporary file and renames it, so there is always either the old file or the complete new one.
    ///
    /// If this throws, the old file is unchanged and nothing else remains. The only exception is a failure of the last step with `.synced`,
    /// syncing the folder: then the new file is already in place.
    ///
    /// - Throws: ``ZipError``, with ``ZipError/Code/nameClash``; ``ZipError/Code/unsupported`` for more than 65,534 entries or 4 GiB;
    ///   ``ZipError/Code/specialFile``, ``ZipError/Code/changedWhileReading``, ``ZipError/Code/system``.
    public func write(to path: String, durability: ZipDurability = .buffered) throws(ZipError) {
        let items = try sortedItems()
        let output = try ReplacementFile(for: path)
        var encoder = ArchiveEncoder(output.file)
        for item in items { try encoder.append(item) }
        try encoder.finish()
        try output.commit(durability)
    }

    /// Returns the items in the order of the archive, without clashes. A folder that was added twice is one folder.
    private func sortedItems() throws(ZipError) -> [Item] {
        var sorted: [Item] = []
        for item in items.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            if item.path.isFolder, sorted.last?.name == item.name { continue }
            sorted.append(item)
        }
        try NameClash.validate(sorted.map(\.path))
        return sorted
    }
}

extension ZipWriter {
    /// An entry to be written.
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

/// A new archive, which replaces a file as a whole.
struct ReplacementFile {
    private let new: NewFile<ZipError>
    private let name: String
    var file: FileDescriptor { new.file }

    /// - Throws: ``ZipError/Code/specialFile`` if the existing item is not a file; ``ZipError/Code/unsafeName``, ``ZipError/Code/system``.
    init(for path: String) throws(ZipError) {
        let (folder, name) = try Self.place(of: path)
        new = try NewFile(in: folder, isPrivate: true)
        self.name = name
    }

    /// Returns the path of the file to replace. Links are followed, so that the link itself is not replaced.
    private static func place(of path: String) throws(ZipError) -> (folder: FileDescriptor, name: String) {
        var path = path
        for _ in 0..<mostLinks {
            let target = try DiskPath(path)
            let folder = try FileDescriptor(folder: target.folder)
            if let goal = try folder.target(ofLink: target.name) {
                path = goal.hasPrefix("/") ? goal : "\(target.folder)/\(goal)"
                continue
            }
            switch try folder.item(target.name) {
            case .file, nil: return (folder, target.name)
            // Replacing a device by a file would remove the device.
            default: throw ZipError(.specialFile, path: path, detail: "the existing item is not a regular file")
            }
        }
        throw ZipError(.specialFile, path: path, detail: "too many levels of symbolic links")
    }

    /// The maximum number of links to follow, which is that of Linux.
    private static let mostLinks = 40

    /// Atomically replaces the old file.
    func commit(_ durability: ZipDurability) throws(ZipError) {
        try file.setMode(0o644)
        try new.commit(as: name, isSynced: durability == .synced)
    }
}
