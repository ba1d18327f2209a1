package import ConfinementReporting
package import PluginExtension

/// The extension or plugin to run, and the rights of its process, which drops all others before it loads the library.
package struct Launch: WireValue {
    /// The identifier of the extension, or of the bundle if its plugin is to run.
    package let identifier: String
    /// The containing bundle's identifier.
    package let bundle: String
    /// The containing bundle's version.
    package let version: String
    /// The open files of the libraries to load, in order; the last is the extension's.
    package let libraries: [AttachmentFile]
    /// The folder of the bundle's resources, whose content the host verifies (``Messages/resource``).
    package let resources: String
    /// The user's languages, in order of preference.
    package let languages: [String]
    /// The folder of the bundle's data.
    package let container: String
    /// The folders of the app groups, by group name.
    package let groups: [String: String]
    /// The folders and files that the process may read and execute.
    package let readable: [String]
    /// The folders in which the process may write.
    package let writable: [String]
    /// A Boolean value that indicates whether the process may use the network.
    package let hasNetwork: Bool
    /// The number of the host's process, with which the process ends.
    package let host: Int32
    /// The most private memory, in bytes.
    package let memory: UInt64
    /// The most bytes of a file.
    package let fileSize: UInt64
    /// The most open files.
    package let openFiles: UInt32
    /// The most seconds of processor time, or 0 for any number.
    package let processorSeconds: UInt32

    /// A Boolean value that indicates whether the bundle's plugin is to run.
    package var isPlugin: Bool { identifier == bundle }

    package init(
        identifier: String, bundle: String, version: String, libraries: [AttachmentFile], resources: String,
        languages: [String], container: String, groups: [String: String], readable: [String],
        writable: [String], hasNetwork: Bool, host: Int32, memory: UInt64, fileSize: UInt64, openFiles: UInt32,
        processorSeconds: UInt32
    ) {
        (self.identifier, self.bundle, self.version) = (identifier, bundle, version)
        (self.libraries, self.resources, self.languages) = (libraries, resources, languages)
        (self.container, self.groups, self.readable, self.writable) = (container, groups, readable, writable)
        (self.hasNetwork, self.host, self.memory) = (hasNetwork, host, memory)
        (self.fileSize, self.openFiles, self.processorSeconds) = (fileSize, openFiles, processorSeconds)
    }

    package init(from reader: inout WireReader) throws {
        (identifier, bundle, version) = try reader.read()
        libraries = try reader.readList { try $0.readFile() }
        (resources, languages, container, groups, readable, writable) = try reader.read()
        (hasNetwork, host, memory, fileSize, openFiles, processorSeconds) = try reader.read()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(identifier, bundle, version)
        writer.write(libraries) { $0.write($1) }
        writer.write(resources, languages, container, groups, readable, writable)
        writer.write(hasNetwork, host, memory, fileSize, openFiles, processorSeconds)
    }

    /// The extension has started.
    package struct Reply: WireValue {
        /// The identifier of the extension point that the extension's code names, or nil for a plugin.
        package let point: String?
        /// The rights that the kernel has taken from the process.
        package let confinement: ConfinementReport

        package init(point: String?, confinement: ConfinementReport) {
            self.point = point
            self.confinement = confinement
        }

        package init(from reader: inout WireReader) throws {
            let (version, hasFilter): (UInt16, Bool)
            (point, version, hasFilter) = try reader.read()
            confinement = ConfinementReport(landlockVersion: Int(version), hasFilter: hasFilter)
        }

        package func write(to writer: inout WireWriter) {
            writer.write(point, UInt16(truncatingIfNeeded: confinement.landlockVersion), confinement.hasFilter)
        }
    }
}
