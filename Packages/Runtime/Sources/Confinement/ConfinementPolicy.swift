package import PluginCore

/// The rights that remain to a process that confines itself.
///
/// ```swift
/// var policy = ConfinementPolicy(parent: host, limits: ProcessLimits(addressSpace: 2 << 30))
/// policy.readable = [bundle]
/// policy.writable = [container]
/// let report = try policy.apply()
/// ```
package struct ConfinementPolicy: Sendable {
    /// The number of the process with which this one ends.
    package var parent: Int32
    /// The limits of the kernel.
    package var limits: ProcessLimits
    /// The folders and files that may be read and listed, and whose libraries may be loaded.
    package var readable: [FilePath]
    /// The folders in which files may be created, changed and removed.
    package var writable: [FilePath]
    /// The files that every Swift process reads.
    package var system: SystemPaths
    /// A Boolean value that indicates whether outgoing connections are allowed.
    package var isNetworkAllowed: Bool

    package init(
        parent: Int32, limits: ProcessLimits = ProcessLimits(), readable: [FilePath] = [], writable: [FilePath] = [],
        system: SystemPaths = .ofThisProcess(), isNetworkAllowed: Bool = false
    ) {
        self.parent = parent
        self.limits = limits
        self.readable = readable
        self.writable = writable
        self.system = system
        self.isNetworkAllowed = isNetworkAllowed
    }
}

/// The limits of a process. A limit that is nil stays as it is.
package struct ProcessLimits: Sendable {
    /// The most bytes of address space, including libraries and the stacks of threads.
    package var addressSpace: UInt64?
    /// The most bytes of private writable memory.
    package var data: UInt64?
    /// The most open files.
    package var openFiles: UInt64?
    /// The most threads of all processes of the user together. It has no effect on root.
    package var processes: UInt64?
    /// The most seconds of processor time. SIGXCPU reports their end, and SIGKILL follows a second later.
    package var processorSeconds: UInt64?
    /// The most bytes of a file.
    package var fileSize: UInt64?

    package init(
        addressSpace: UInt64? = nil, data: UInt64? = nil, openFiles: UInt64? = nil, processes: UInt64? = nil,
        processorSeconds: UInt64? = nil, fileSize: UInt64? = nil
    ) {
        self.addressSpace = addressSpace
        self.data = data
        self.openFiles = openFiles
        self.processes = processes
        self.processorSeconds = processorSeconds
        self.fileSize = fileSize
    }
}
