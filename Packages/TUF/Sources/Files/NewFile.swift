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
