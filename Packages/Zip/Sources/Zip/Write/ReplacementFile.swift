/// A file written under a passing name in the folder of the one it will replace.
struct ReplacementFile {
    let file: FileDescriptor
    private let folder: FileDescriptor
    private let temporaryName: String
    private let name: String

    /// - Throws: ``ZipError/Code/specialFile`` for what is there and no file; ``ZipError/Code/unsafeName``,
    ///   ``ZipError/Code/system``.
    init(for path: String) throws(ZipError) {
        (folder, name) = try Self.place(of: path)
        // Short, because the final name may already be as long as names can be.
        temporaryName = ".zip-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
        file = try folder.createFile(temporaryName)
    }

    /// Where a file lies, or would: links are followed, so that what is replaced is the file and not the link that leads there.
    private static func place(of path: String) throws(ZipError) -> (folder: FileDescriptor, name: String) {
        var path = path
        for _ in 0..<mostLinks {
            let target = try DiskPath(path)
            let folder = try FileDescriptor.openFolder(target.folder)
            if let goal = try folder.goal(ofLink: target.name) {
                path = goal.hasPrefix("/") ? goal : "\(target.folder)/\(goal)"
                continue
            }
            // A device would be gone when a file takes its name.
            guard try folder.isFileOrNothing(target.name) else {
                throw ZipError(.specialFile, path: path, detail: "what is there is no regular file")
            }
            return (folder, target.name)
        }
        throw ZipError(.specialFile, path: path, detail: "too many links lead from one to the next")
    }

    /// As many as Linux follows.
    private static let mostLinks = 40

    /// Puts the file in its place in one step.
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
