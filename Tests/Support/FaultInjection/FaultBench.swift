import Registry
import FoundationEssentials
import Glibc
import PluginCore
import PluginRuntime

/// A sandbox that is restored before each fault.
struct FaultBench {
    /// The root of the sandbox.
    let root: FilePath
    /// The log file of strace.
    let log: FilePath
    private let scratch: FilePath
    private let prepared: FilePath
    private let isUse: Bool

    /// Creates a sandbox for an operation.
    ///
    /// - Parameters:
    ///   - folder: The folder for the sandbox and the log.
    ///   - prepared: The prepared sandbox, which may be missing.
    ///   - operation: The operation.
    init(folder: FilePath, prepared: FilePath, for operation: FaultOperation) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        root = folder.appending("sandbox")
        log = folder.appending("strace.log")
        scratch = folder.appending("registry")
        self.prepared = prepared
        isUse = operation.isUse
    }

    /// Restores the sandbox to its state before the operation.
    func restore() throws {
        try clear()
        let files = FileManager.default
        if files.fileExists(atPath: prepared.string) {
            try files.copyItem(atPath: prepared.string, toPath: root.string)
        }
        // The host treats recently written files differently in its cache. Waiting until the file system's clock has advanced makes all
        // runs equal.
        if isUse { usleep(25_000) }
    }

    /// Removes the sandbox.
    func clear() throws {
        let files = FileManager.default
        if files.fileExists(atPath: root.string) { try files.removeItem(atPath: root.string) }
    }

    /// Copies the current sandbox to another place and replaces what is there.
    func copy(to folder: FilePath) throws {
        let files = FileManager.default
        if files.fileExists(atPath: folder.string) { try files.removeItem(atPath: folder.string) }
        if files.fileExists(atPath: root.string) { try files.copyItem(atPath: root.string, toPath: folder.string) }
    }

    /// Returns the state of this or another sandbox.
    func state(of other: FilePath? = nil) throws -> SandboxState {
        try SandboxState(of: Sandbox(root: other ?? root), copyingTo: scratch)
    }
}
