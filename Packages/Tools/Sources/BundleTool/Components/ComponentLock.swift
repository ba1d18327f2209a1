import CatalogPublisher
import Console
import FoundationEssentials
import PluginCore

/// The lock file of an author's package: the components that were added, and exactly which versions.
///
/// With this file, the roots and the trust file beside it, a fresh clone gets the same components again.
struct ComponentLock: Equatable {
    /// An Interface that was added.
    struct Component: Equatable {
        /// The plugin with the version.
        let identity: BundleIdentity
        /// The range from which updates are chosen.
        let range: String
        /// The name of the module.
        let module: String
        /// The team that has signed it.
        let team: String
        /// The SHA-256 of its seal.
        let seal: String
        /// The address of the catalog.
        let catalog: String
    }

    private struct Document: Codable {
        struct Fields: Codable {
            let identifier, version, range, module, team, seal, catalog: String
        }

        var formatVersion = 1
        var components: [Fields] = []
    }

    /// The name of the file in the folder of the components.
    static let fileName = "components.json"

    /// The components, sorted by identifier.
    private(set) var components: [Component] = []

    /// Creates a lock file without components.
    init() {}

    /// Reads a lock file.
    ///
    /// - Throws: ``CommandError`` with `lockInvalid`.
    init(reading bytes: [UInt8], of path: FilePath) throws(CommandError) {
        func refusal(_ problem: String) -> CommandError {
            CommandError(.badInput, path, code: "lockInvalid", reason: "lockUnreadable", ["problem": .text(problem)])
        }
        let document = try? StrictJSON.decode(Document.self, from: bytes)
        let found = document?.components.compactMap { fields -> Component? in
            // The module's name is that of a folder, which is replaced and removed.
            guard let identifier = BundleIdentifier(fields.identifier), let version = SemanticVersion(fields.version),
                VersionRange(fields.range) != nil, InterfaceArchive.problem(ofModule: fields.module) == nil
            else { return nil }
            return Component(
                identity: BundleIdentity(identifier: identifier, version: version), range: fields.range,
                module: fields.module, team: fields.team, seal: fields.seal, catalog: fields.catalog)
        }
        guard let document, let found, found.count == document.components.count else {
            throw refusal("it is not the list of components that \"bundletool add\" writes")
        }
        guard document.formatVersion == 1 else {
            throw refusal("its format \(document.formatVersion) is not supported")
        }
        for component in found {
            let identifier = component.identity.identifier
            if self[identifier] != nil || components.contains(where: { $0.module == component.module }) {
                throw refusal("\"\(identifier)\" or its module is named twice")
            }
            self[identifier] = component
        }
    }

    /// The component of a plugin.
    subscript(identifier: BundleIdentifier) -> Component? {
        get { components.first { $0.identity.identifier == identifier } }
        set {
            components.removeAll { $0.identity.identifier == identifier }
            components.append(contentsOf: [newValue].compactMap(\.self))
            components.sort { $0.identity.identifier < $1.identity.identifier }
        }
    }

    /// The content of the file.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let fields = components.map {
            Document.Fields(
                identifier: $0.identity.identifier.text, version: "\($0.identity.version)", range: $0.range,
                module: $0.module, team: $0.team, seal: $0.seal, catalog: $0.catalog)
        }
        // Encoding cannot fail: the fields are texts.
        let data = (try? encoder.encode(Document(components: fields))) ?? Data()
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
