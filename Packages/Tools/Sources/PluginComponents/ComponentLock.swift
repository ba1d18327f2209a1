import BundleFormat
public import Console
import FoundationEssentials
import Glibc
public import PluginCore

/// The lock file of an author's package: the components that were added, and exactly which versions.
///
/// With this file, the roots and the trust file beside it, a fresh clone gets the same components again.
public struct ComponentLock: Sendable, Equatable {
    /// An Interface that was added.
    public struct Component: Sendable, Equatable {
        /// The plugin.
        public let identifier: BundleIdentifier
        /// The version.
        public let version: SemanticVersion
        /// The range from which updates are chosen.
        public let range: String
        /// The name of the module.
        public let module: String
        /// The team that has signed it.
        public let team: String
        /// The SHA-256 of its seal.
        public let seal: String
        /// The address of the catalog.
        public let catalog: String

        /// The plugin with the version.
        public var identity: BundleIdentity { BundleIdentity(identifier: identifier, version: version) }

        /// Creates the entry of an archive that was fetched.
        ///
        /// - Parameter range: The range from which it was chosen; by default, the versions that are compatible with it.
        public init(of archive: InterfaceArchive, chosenIn range: VersionRange?, from catalog: String) {
            (identifier, version) = (archive.identity.identifier, archive.identity.version)
            self.range = range?.description ?? "^\(version)"
            (module, team, seal) = (archive.module, archive.seal.team, archive.sealDigest)
            self.catalog = catalog
        }

        fileprivate struct Fields: Codable {
            let identifier, version, range, module, team, seal, catalog: String
        }

        fileprivate init?(_ fields: Fields) {
            // The module's name is that of a folder, which is replaced and removed.
            guard let identifier = BundleIdentifier(fields.identifier), let version = SemanticVersion(fields.version),
                VersionRange(fields.range) != nil, InterfaceRules.problem(ofModule: fields.module) == nil
            else { return nil }
            (self.identifier, self.version, range, module) = (identifier, version, fields.range, fields.module)
            (team, seal, catalog) = (fields.team, fields.seal, fields.catalog)
        }

        fileprivate var fields: Fields {
            Fields(
                identifier: identifier.text, version: "\(version)", range: range, module: module, team: team,
                seal: seal, catalog: catalog)
        }
    }

    private struct Document: Codable {
        var formatVersion = 1
        var components: [Component.Fields] = []
    }

    /// The largest size of the file in bytes.
    public static let sizeLimit = 1 << 20

    /// The components, sorted by identifier.
    public private(set) var components: [Component] = []

    /// Creates a lock file without components.
    public init() {}

    /// Reads a lock file.
    ///
    /// - Throws: ``CommandError`` with `lockInvalid`.
    public init(reading bytes: [UInt8], of path: FilePath) throws(CommandError) {
        guard let document = try? StrictJSON.decode(Document.self, from: bytes),
            case let found = document.components.compactMap(Component.init), found.count == document.components.count
        else { throw .lockInvalid(path, "it is not the list of components that \"bundletool add\" writes") }
        guard document.formatVersion == 1 else {
            throw .lockInvalid(path, "its format \(document.formatVersion) is not supported")
        }
        for component in found {
            if self[component.identifier] != nil || components.contains(where: { $0.module == component.module }) {
                throw .lockInvalid(path, "\"\(component.identifier)\" or its module is named twice")
            }
            self[component.identifier] = component
        }
    }

    /// The component of a plugin.
    public subscript(identifier: BundleIdentifier) -> Component? {
        get { components.first { $0.identifier == identifier } }
        set {
            components.removeAll { $0.identifier == identifier }
            if let newValue { components = (components + [newValue]).sorted { $0.identifier < $1.identifier } }
        }
    }

    /// The content of the file.
    public var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: the fields are texts.
        let data = (try? encoder.encode(Document(components: components.map(\.fields)))) ?? Data()
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

/// The module's access to the file system.
enum ComponentFiles {
    /// Gives a file another name, and replaces an older one.
    static func move(_ path: FilePath, to target: FilePath) throws(AtriumError) {
        guard rename(path.string, target.string) == 0 else {
            throw AtriumError(.inputOutput, target.string, reason: .verbatim(String(cString: strerror(errno))))
        }
    }

    /// Removes a file.
    static func remove(_ path: FilePath) { unlink(path.string) }
}
