/// A file that is written under a temporary name in the folder of the file that it will replace.
struct ReplacementFile {
    let file: FileDescriptor
    private let folder: FileDescriptor
    private let temporaryName: String
    private let name: String

    /// - Throws: ``ZipError/Code/specialFile`` if the existing item is not a file; ``ZipError/Code/unsafeName``, ``ZipError/Code/system``.
    init(for path: String) throws(ZipError) {
        (folder, name) = try Self.place(of: path)
        // The temporary name is short, because the final name may have the maximum length.
        temporaryName = ".zip-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
        file = try folder.createFile(temporaryName)
    }

    /// Returns the path of the file to replace. Links are followed, so that the link itself is not replaced.
    private static func place(of path: String) throws(ZipError) -> (folder: FileDescriptor, name: String) {
        var path = path
        for _ in 0..<mostLinks {
            let target = try DiskPath(path)
            let folder = try FileDescriptor.openFolder(target.folder)
            if let goal = try folder.goal(ofLink: target.name) {
                path = goal.hasPrefix("/") ? goal : "\(target.folder)/\(goal)"
                continue
            }
            // Replacing a device by a file would remove the device.
            guard try folder.isFileOrNothing(target.name) else {
                throw ZipError(.specialFile, path: path, detail: "the existing item is not a regular file")
            }
            return (folder, target.name)
        }
        throw ZipError(.specialFile, path: path, detail: "too many levels of symbolic links")
    }

    /// The maximum number of links to follow, which is that of Linux.
    private static let mostLinks = 40

    /// Atomically replaces the old file.
    func commit(_ durability: ZipDurability) throws(ZipError) {
        try file.setMode(0o644)
        if durability == .synced { try file.sync() }
        try folder.rename(temporaryName, to: name)
        if durability == .synced { try folder.sync() }
    }

    func discard() {
        try? folder.removeFile(temporaryName)
    }
}
