import CatalogPublisher
import Console
import FoundationEssentials
import HostSystem
import PluginCore

/// The lock file of an author's package: the components that were added, and exactly which versions.
///
/// With this file, the roots and the trust file beside it, a fresh clone gets the same components again.
struct ComponentLock: Equatable {
    /// An Interface or a library that was added.
    struct Component: Equatable, Codable {
        /// The identifier and the version of the plugin.
        let identifier: BundleIdentifier, version: SemanticVersion
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
        /// A Boolean value that indicates whether it is a library that the plugin links; `nil` for an Interface.
        var library: Bool?

        var identity: BundleIdentity { BundleIdentity(identifier: identifier, version: version) }
        var isLibrary: Bool { library == true }
        /// The variable of the environment with the folder of the library's sources, from which it is built in place of being linked.
        var sourceVariable: String { module.uppercased() + "_SOURCE" }
    }

    private struct Document: Codable {
        var formatVersion = 1
        var components: [Component] = []
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
    init(reading bytes: [UInt8], of path: FilePath) throws {
        func refusal(_ problem: String) -> CommandError {
            CommandError(.badInput, path, code: "lockInvalid", reason: "lockUnreadable", ["problem": "\(problem)"])
        }
        // The module's name is that of a folder, which is replaced and removed.
        guard let document = try? StrictJSON.decode(Document.self, from: bytes),
            document.components.allSatisfy({
                VersionRange($0.range) != nil && InterfaceArchive.problem(ofModule: $0.module) == nil
            })
        else { throw refusal("it is not the list of components that \"bundletool add\" writes") }
        guard document.formatVersion == 1 else {
            throw refusal("its format \(document.formatVersion) is not supported")
        }
        for component in document.components {
            let identifier = component.identifier
            if self[identifier] != nil || components.contains(where: { $0.module == component.module }) {
                throw refusal("\"\(identifier)\" or its module is named twice")
            }
            self[identifier] = component
        }
    }

    /// The component of a plugin.
    subscript(identifier: BundleIdentifier) -> Component? {
        get { components.first { $0.identifier == identifier } }
        set {
            components.removeAll { $0.identifier == identifier }
            if let newValue { components.append(newValue) }
            components.sort { $0.identifier < $1.identifier }
        }
    }

    /// The content of the file.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: the fields are texts.
        return String(decoding: (try? encoder.encode(Document(components: components))) ?? Data(), as: UTF8.self) + "\n"
    }
}
