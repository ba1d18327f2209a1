import Authoring
import Console
import HostSystem
import PluginCore

/// A requirement of another plugin in the text of a manifest, which is changed without touching anything else.
enum ManifestRequirement {
    private static let member = "requires"

    /// Returns a manifest that requires a plugin in a range of versions.
    ///
    /// A new requirement is one that the first call installs, because a call is how an Interface is used.
    ///
    /// - Returns: `nil` if the text is not an object, or if its requirements are not objects.
    static func set(_ identifier: BundleIdentifier, _ range: String, in text: String) -> String? {
        guard let root = root(of: text), let end = root.children.last?.range.upperBound else { return nil }
        let range = JSONText.string(range).text(pretty: false)
        let requirement = "{ \"bundle\": \"\(identifier)\", \"versions\": \(range), \"onDemand\": true }"
        func inserting(_ addition: String, at place: String.Index) -> String {
            text.replacing(place..<place, with: addition)
        }
        guard let requires = root[member] else {
            return inserting(",\n  \"\(member)\": [\n    \(requirement)\n  ]", at: end)
        }
        guard requires.isArray else { return nil }
        guard let last = requires.children.last else {
            return text.replacing(requires.range, with: "[\n    \(requirement)\n  ]")
        }
        guard let found = requires.children.first(where: { names(identifier, in: $0.value) })?.value else {
            return inserting(",\n    \(requirement)", at: last.range.upperBound)
        }
        if let versions = found["versions"] { return text.replacing(versions.range, with: range) }
        return found["bundle"].map { inserting(", \"versions\": \(range)", at: $0.range.upperBound) }
    }

    /// Returns a manifest that does not require a plugin.
    ///
    /// - Returns: `nil` as for ``set(_:_:in:)``.
    static func remove(_ identifier: BundleIdentifier, from text: String) -> String? {
        guard let root = root(of: text) else { return nil }
        guard let index = root.children.firstIndex(where: { $0.name == member }) else { return text }
        let requires = root.children[index].value
        guard requires.isArray else { return nil }
        guard let element = requires.children.firstIndex(where: { names(identifier, in: $0.value) }) else {
            return text
        }
        let place = requires.children.count == 1 ? root.removal(of: index) : requires.removal(of: element)
        return text.replacing(place, with: "")
    }

    private static func names(_ identifier: BundleIdentifier, in requirement: JSONPlace) -> Bool {
        requirement["bundle"]?.text == "\"\(identifier)\""
    }

    private struct Outline: Decodable {
        let identifier: String
    }

    private static func root(of text: String) -> JSONPlace? {
        (try? StrictJSON.decode(Outline.self, from: Array(text.utf8))).flatMap { _ in JSONPlace(text) }
    }
}
