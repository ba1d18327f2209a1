internal import FoundationEssentials
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif
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
    private let isUse: Bool

    /// - Parameters:
    ///   - prepared: the sandbox that each run starts from; nothing may be there.
    ///   - operation: what is run.
    init(folder: FilePath, prepared: FilePath, for operation: FaultOperation) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        root = folder.appending("sandbox")
        log = folder.appending("strace.log")
        scratch = folder.appending("registry")
        self.prepared = prepared
        isUse = operation.isUse
    }

    /// Makes the sandbox what it is before the operation.
    func restore() throws {
        try clear()
        let files = FileManager.default
        if files.fileExists(atPath: prepared.string) {
            try files.copyItem(atPath: prepared.string, toPath: root.string)
        }
        // By what a host knows a file from then on depends on whether the file was written just now. It is the same in each run
        // once the clock that files are stamped with has gone on.
        if isUse { usleep(25_000) }
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
