internal import FoundationEssentials
internal import PluginCore
internal import PluginRuntime

/// Where one fault after the other is tried: a sandbox that is made anew each time.
struct FaultBench {
    /// The sandbox's root.
    let root: FilePath
    /// Where strace writes.
    let log: FilePath
    private let scratch: FilePath
    private let prepared: FilePath

    /// - Parameter prepared: the sandbox that each run starts from; nothing may be there.
    init(folder: FilePath, prepared: FilePath) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        root = folder.appending("sandbox")
        log = folder.appending("strace.log")
        scratch = folder.appending("registry")
        self.prepared = prepared
    }

    /// Makes the sandbox what it is before the operation.
    func restore() throws {
        try clear()
        let files = FileManager.default
        if files.fileExists(atPath: prepared.string) {
            try files.copyItem(atPath: prepared.string, toPath: root.string)
        }
    }

    /// Takes the sandbox away.
    func clear() throws {
        let files = FileManager.default
        if files.fileExists(atPath: root.string) { try files.removeItem(atPath: root.string) }
    }

    /// Puts the sandbox as it is now somewhere else; what is there is replaced.
    func copy(to folder: FilePath) throws {
        let files = FileManager.default
        if files.fileExists(atPath: folder.string) { try files.removeItem(atPath: folder.string) }
        if files.fileExists(atPath: root.string) { try files.copyItem(atPath: root.string, toPath: folder.string) }
    }

    /// What is in the sandbox, or in another one.
    func state(of other: FilePath? = nil) throws -> SandboxState {
        try SandboxState(of: Sandbox(root: other ?? root), copyingTo: scratch)
    }
}
