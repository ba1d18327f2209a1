import Console
import PluginCore

/// The file `component.json` of an Interface's archive.
struct InterfaceDescription {
    let identity: BundleIdentity
    let module: String

    private static let formatVersion = 1
    private static let kind = "interface"

    private struct Document: Decodable {
        let formatVersion: Int
        let kind: String
        let identifier: String
        let version: String
        let module: String
    }

    init(identity: BundleIdentity, module: String) {
        (self.identity, self.module) = (identity, module)
    }

    /// Reads the file.
    init(reading bytes: [UInt8], of subject: String) throws(ComponentError) {
        func refusal(_ problem: String) -> ComponentError {
            .invalid(subject, problems: ["\(InterfaceArchive.descriptionName): \(problem)"])
        }
        let document: Document
        do {
            document = try StrictJSON.decode(Document.self, from: bytes)
        } catch {
            throw refusal("it is not the description of a component")
        }
        guard document.formatVersion == Self.formatVersion, document.kind == Self.kind else {
            throw refusal("its format \(document.formatVersion) of kind \"\(document.kind)\" is not supported")
        }
        guard let identifier = BundleIdentifier(document.identifier), let version = SemanticVersion(document.version)
        else { throw refusal("it does not name a version of a plugin") }
        if let problem = InterfaceRules.problem(ofModule: document.module) { throw refusal(problem) }
        identity = BundleIdentity(identifier: identifier, version: version)
        module = document.module
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let document: JSONText = [
            "formatVersion": .integer(Self.formatVersion), "kind": .string(Self.kind),
            "identifier": .string(identity.identifier.text), "version": .string("\(identity.version)"),
            "module": .string(module),
        ]
        return Array((document.text(pretty: true) + "\n").utf8)
    }
}
