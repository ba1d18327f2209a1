import Glibc

/// A file that is written under a temporary name, and appears under its own name when it is complete.
///
/// A file that is not committed is removed when it is released.
public final class NewFile: Sendable {
    private let folder: Folder
    private let file: Descriptor
    private let temporaryName: String
    /// The end of temporary names, which begin with a dot.
    static let suffix = ".tmp"

    /// Creates an empty file with a temporary name.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file.
    ///   - isPrivate: A Boolean value that indicates whether other users may not read the file.
    public init(in folder: Folder, isPrivate: Bool = false) throws(FileError) {
        self.folder = folder
        temporaryName = ".\(String(UInt64.random(in: 0 ... .max), radix: 36))\(Self.suffix)"
        file = try folder.create(temporaryName, isPrivate: isPrivate)
    }

    deinit {
        // After the commit, there is no file of this name.
        _ = try? folder.remove(temporaryName)
    }

    /// Appends bytes.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try file.write(bytes)
    }

    /// Appends bytes.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        // The array's own function does not pass on typed errors.
        try bytes.withUnsafeBytes { memory in
            Result { () throws(FileError) in try file.write(memory) }
        }.get()
    }

    /// Writes the file to the disk and gives it its name, in place of an existing file.
    ///
    /// - Parameter isSynced: A Boolean value that indicates whether the file is on the disk afterwards, also after a power failure. If
    ///   not, ``Folder/syncAll()`` must follow.
    public func commit(as name: String, isSynced: Bool = true) throws(FileError) {
        if isSynced { try file.sync() }
        try folder.rename(temporaryName, to: name, isSynced: isSynced)
    }
}

/// A file that grows at its end until it is complete, also in several processes one after another.
///
/// Only one process or task has the file at a time. When that process is killed, the next one finds all that was written.
///
/// ```swift
/// if let partial = try PartialFile.lock(".shop.zip.partial", in: folder) {
///     try partial.append(piece)
///     try partial.commit(as: "shop.zip")
/// }
/// ```
public final class PartialFile: Sendable {
    private let folder: Folder
    private let name: String
    private let file: Descriptor

    private init(_ file: Descriptor, name: String, in folder: Folder) {
        self.file = file
        self.name = name
        self.folder = folder
    }

    /// Opens or creates a file and locks it until the result is released, or returns nil if another one holds the lock.
    public static func lock(_ name: String, in folder: Folder) throws(FileError) -> PartialFile? {
        while true {
            let file = try folder.openPartial(name)
            guard try file.tryLock() else { return nil }
            let status = try file.status()
            guard status.isFile else { throw FileError(path: folder.path + "/" + name, number: EINVAL) }
            // The last owner may have removed or renamed the file between the two calls above.
            if let current = try folder.status(of: name), current.isSameFile(as: status) {
                return PartialFile(file, name: name, in: folder)
            }
        }
    }

    /// The length in bytes.
    public var length: Int64 { get throws(FileError) { try file.status().length } }

    /// Returns the content from the start. Only one such reading at a time is possible.
    public func pieces() throws(FileError) -> FilePieces {
        try file.rewind()
        return FilePieces(of: file)
    }

    /// Appends bytes.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try file.write(bytes)
    }

    /// Removes all content.
    public func clear() throws(FileError) {
        try file.truncate(to: 0)
    }

    /// Removes the file.
    public func remove() throws(FileError) {
        try folder.remove(name)
    }

    /// Writes the file to the disk and gives it its final name, in place of an existing file.
    public func commit(as newName: String) throws(FileError) {
        try file.sync()
        try folder.rename(name, to: newName)
    }
}

extension Folder {
    /// Returns the length of a file, or nil if there is no such file.
    public func length(of name: String) throws(FileError) -> Int64? { try status(of: name)?.length }
}
