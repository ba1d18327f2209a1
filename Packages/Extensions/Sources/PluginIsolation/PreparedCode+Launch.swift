package import ExtensionProtocol
import HostSystem
package import PluginCore
package import PluginRuntime
import Registry

extension PreparedCode {
    /// Returns the message that makes a process load the code.
    ///
    /// - Parameter identifier: The identifier of the extension, or of the bundle for its plugin.
    package func launch(
        _ identifier: BundleIdentifier, limits: ExtensionLimits, languages: [String]
    ) throws(AtriumError) -> Launch {
        var attachments: [AttachmentFile] = []
        for file in libraries { attachments.append(try AttachmentFile(duplicating: file.descriptor)) }
        let groups = groups.mapValues(\.string)
        // A plugin runs as long as its host.
        let processorTime = identifier == bundle.identity.identifier ? 0 : limits.processorTime.rounded(.up)
        return Launch(
            identifier: identifier.text, bundle: bundle.identity.identifier.text,
            version: bundle.identity.version.description, libraries: attachments, resources: resources.string,
            languages: languages, container: data.container.root.string, groups: groups,
            readable: (folders + HostLibraryFolders.all).map(\.string),
            writable: [data.container.root.string] + groups.values.sorted(), hasNetwork: permissions.contains(.network),
            host: CurrentProcess.number, memory: UInt64(limits.memory), fileSize: UInt64(limits.fileSize),
            openFiles: UInt32(limits.openFiles), processorSeconds: UInt32(min(processorTime, 1e9)))
    }
}

/// The folders of the libraries that a host shares with plugins and extensions.
package enum HostLibraryFolders {
    /// The folders of Core, SQLite and the Swift runtime, each once.
    package static let all: [FilePath] = {
        let shared = ["libPluginCore.so", "libSQLite.so", "libswiftCore.so"]
        var folders: [FilePath] = []
        for object in LoadedObjects.paths()
        where shared.contains(object.lastComponent) && !folders.contains(object.parent) {
            folders.append(object.parent)
        }
        return folders
    }()
}
