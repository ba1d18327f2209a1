public import Console
import FoundationEssentials
import Glibc
public import PluginCore

/// The lock file of an author's package: the components that were added, and exactly which versions.
///
/// With this file, the roots and the trust file beside it, a fresh clone gets the same components again.
public struct ComponentLock: Sendable, Equatable {
    /// An Interface that was added.
    public struct Component: Codable, Sendable, Equatable {
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

        /// Creates an entry.
        public init(
            identifier: BundleIdentifier, version: SemanticVersion, range: String, module: String, team: String,
            seal: String, catalog: String
        ) {
            self.identifier = identifier
            self.version = version
            self.range = range
            self.module = module
            self.team = team
            self.seal = seal
            self.catalog = catalog
        }

        /// The plugin with the version.
        public var identity: BundleIdentity { BundleIdentity(identifier: identifier, version: version) }

        private struct Fields: Codable {
            let identifier, version, range, module, team, seal, catalog: String
        }

        /// Decodes an entry.
        public init(from decoder: any Decoder) throws {
            let fields = try Fields(from: decoder)
            // The module's name is that of a folder, which is replaced and removed.
            guard let identifier = BundleIdentifier(fields.identifier), let version = SemanticVersion(fields.version),
                VersionRange(fields.range) != nil, InterfaceRules.problem(ofModule: fields.module) == nil
            else { throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "")) }
            self.init(
                identifier: identifier, version: version, range: fields.range, module: fields.module,
                team: fields.team, seal: fields.seal, catalog: fields.catalog)
        }

        /// Encodes the entry.
        public func encode(to encoder: any Encoder) throws {
            try Fields(
                identifier: identifier.text, version: "\(version)", range: range, module: module, team: team,
                seal: seal, catalog: catalog
            ).encode(to: encoder)
        }
    }

    private struct Document: Codable {
        var formatVersion = 1
        var components: [Component] = []
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
        let document: Document
        do {
            document = try StrictJSON.decode(Document.self, from: bytes)
        } catch {
            throw .lockInvalid(path, "it is not the list of components that \"bundletool add\" writes")
        }
        guard document.formatVersion == 1 else {
            throw .lockInvalid(path, "its format \(document.formatVersion) is not supported")
        }
        for component in document.components {
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
        let data = (try? encoder.encode(Document(components: components))) ?? Data()
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
