/// A file written under a passing name in the folder of the one it will replace.
struct ReplacementFile {
    let file: FileDescriptor
    private let folder: FileDescriptor
    private let temporaryName: String
    private let name: String

    init(for path: String) throws(ZipError) {
        let target = try DiskPath(path)
        name = target.name
        folder = try FileDescriptor.openFolder(target.folder)
        // Short, because the final name may already be as long as names can be.
        temporaryName = ".zip-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
        file = try folder.createFile(temporaryName)
    }

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
