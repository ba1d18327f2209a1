package import ConfinementReporting
package import PluginCore

/// The second message: the extension or plugin to run, and the rights of its process, which drops all others before it loads the library.
package struct Launch: RequestMessage {
    package static let method = MessageNumber.launch

    /// The identifier of the extension, or of the bundle if its plugin is to run.
    package let identifier: String
    /// The containing bundle's identifier.
    package let bundle: String
    /// The containing bundle's version.
    package let version: String
    /// The open files of the libraries to load, in order; the last is the extension's.
    package let libraries: [AttachmentFile]
    /// The folder of the bundle's resources, whose content the host verifies (``ResourceContent``).
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

    package init(
        identifier: String, bundle: String, version: String, libraries: [AttachmentFile], resources: String,
        languages: [String], container: String, groups: [String: String], readable: [String],
        writable: [String], hasNetwork: Bool, host: Int32, memory: UInt64, fileSize: UInt64, openFiles: UInt32,
        processorSeconds: UInt32
    ) {
        self.identifier = identifier
        self.bundle = bundle
        self.version = version
        self.libraries = libraries
        self.resources = resources
        self.languages = languages
        self.container = container
        self.groups = groups
        self.readable = readable
        self.writable = writable
        self.hasNetwork = hasNetwork
        self.host = host
        self.memory = memory
        self.fileSize = fileSize
        self.openFiles = openFiles
        self.processorSeconds = processorSeconds
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        identifier = try reader.readText()
        bundle = try reader.readText()
        version = try reader.readText()
        libraries = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
            try reader.readFile()
        }
        resources = try reader.readText()
        languages = try reader.readTexts()
        container = try reader.readText()
        let groups = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
            (try reader.readText(), try reader.readText())
        }
        self.groups = Dictionary(groups) { first, _ in first }
        readable = try reader.readTexts()
        writable = try reader.readTexts()
        hasNetwork = try reader.readBool()
        host = try reader.read()
        memory = try reader.read()
        fileSize = try reader.read()
        openFiles = try reader.read()
        processorSeconds = try reader.read()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(identifier)
        writer.write(bundle)
        writer.write(version)
        writer.write(libraries) { $0.write($1) }
        writer.write(resources)
        writer.write(languages)
        writer.write(container)
        writer.write(groups.sorted { $0.key < $1.key }) { writer, group in
            writer.write(group.key)
            writer.write(group.value)
        }
        writer.write(readable)
        writer.write(writable)
        writer.write(hasNetwork)
        writer.write(host)
        writer.write(memory)
        writer.write(fileSize)
        writer.write(openFiles)
        writer.write(processorSeconds)
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

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            point = try reader.readOptional { (reader: inout WireReader) throws(WireReader.Malformed) in
                try reader.readText()
            }
            let version = Int(try reader.read(UInt16.self))
            confinement = ConfinementReport(
                landlockVersion: version == 0 ? nil : version, hasFilter: try reader.readBool())
        }

        package func write(to writer: inout WireWriter) {
            writer.write(point) { $0.write($1) }
            writer.write(UInt16(truncatingIfNeeded: confinement.landlockVersion ?? 0))
            writer.write(confinement.hasFilter)
        }
    }
}
