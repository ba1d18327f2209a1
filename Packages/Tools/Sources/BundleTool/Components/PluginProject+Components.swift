import PluginAuthoring
import PluginComponents
import PluginCore
import TUFMetadata
import Trust

extension PluginProject {
    /// The folder of the components, with the lock file and what is trusted.
    var components: FilePath { folder.appending("Components") }
    /// The lock file.
    var componentLockFile: FilePath { components.appending("components.json") }
    /// The file with the trusted teams, in the format of a host's file.
    var componentTrust: FilePath { components.appending("trust.json") }
    /// The folder of the states of all catalogs, which can be made again.
    var componentCatalogs: FilePath { workFolder.appending("catalogs") }

    /// Returns the name of the file with the pinned root of a catalog.
    func rootName(of catalog: String) throws -> String {
        "\(try HashAlgorithm.sha256.digest(of: Array(catalog.utf8)).prefix(16)).root.json"
    }

    /// Reads the lock file; `nil` if there is none.
    func componentLock() throws -> ComponentLock? {
        guard case .file = Files.kind(of: componentLockFile) else { return nil }
        let bytes = try Files.bytes(
            of: componentLockFile, limit: ComponentLock.sizeLimit, remedy: "restore it from version control")
        return try ComponentLock(reading: bytes, of: componentLockFile)
    }

    /// Checks that all components of the lock file are there.
    ///
    /// - Throws: ``ComponentError`` with `componentMissing` or `lockInvalid`.
    func requireComponents() throws {
        for component in try componentLock()?.components ?? [] {
            let folder = components.appending(component.module)
            guard case .file = Files.kind(of: folder.appending("Package.swift")) else {
                throw ComponentError.componentMissing(folder, module: component.module)
            }
        }
    }
}
