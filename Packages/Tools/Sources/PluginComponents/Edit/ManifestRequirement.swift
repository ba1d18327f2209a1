import Console
public import PluginCore

/// A requirement of another plugin in the text of a manifest, which is changed without touching anything else.
public enum ManifestRequirement {
    private static let member = "requires"

    /// Returns a manifest that requires a plugin in a range of versions.
    ///
    /// A new requirement is one that the first call installs, because a call is how an Interface is used.
    ///
    /// - Returns: `nil` if the text is not an object, or if its requirements are not objects.
    public static func set(_ identifier: BundleIdentifier, _ range: String, in text: String) -> String? {
        guard isDocument(text) else { return nil }
        let spans = JSONSpans(text)
        guard let root = spans.root, let members = spans.members(of: root) else { return nil }
        let range = JSONText.string(range).text(pretty: false)
        let requirement = "{ \"bundle\": \"\(identifier)\", \"versions\": \(range), \"onDemand\": true }"
        guard let requires = members.first(where: { $0.name == member }) else {
            guard let last = members.last else { return nil }
            let place = last.whole.upperBound
            return spans.replacing(place..<place, with: ",\n  \"\(member)\": [\n    \(requirement)\n  ]")
        }
        guard let elements = spans.elements(of: requires.value) else { return nil }
        guard let last = elements.last else {
            return spans.replacing(requires.value, with: "[\n    \(requirement)\n  ]")
        }
        guard let found = elements.first(where: { names(identifier, at: $0, in: spans) }) else {
            return spans.replacing(last.upperBound..<last.upperBound, with: ",\n    \(requirement)")
        }
        guard let fields = spans.members(of: found), let bundle = fields.first(where: { $0.name == "bundle" }) else {
            return nil
        }
        if let versions = fields.first(where: { $0.name == "versions" }) {
            return spans.replacing(versions.value, with: range)
        }
        let place = bundle.whole.upperBound
        return spans.replacing(place..<place, with: ", \"versions\": \(range)")
    }

    /// Returns a manifest that does not require a plugin.
    ///
    /// - Returns: `nil` as for ``set(_:_:in:)``.
    public static func remove(_ identifier: BundleIdentifier, from text: String) -> String? {
        guard isDocument(text) else { return nil }
        let spans = JSONSpans(text)
        guard let root = spans.root, let members = spans.members(of: root) else { return nil }
        guard let index = members.firstIndex(where: { $0.name == member }) else { return text }
        guard let elements = spans.elements(of: members[index].value) else { return nil }
        guard let element = elements.firstIndex(where: { names(identifier, at: $0, in: spans) }) else { return text }
        let place =
            elements.count == 1
            ? spans.removal(of: index, in: members.map(\.whole)) : spans.removal(of: element, in: elements)
        return spans.replacing(place, with: "")
    }

    private static func names(_ identifier: BundleIdentifier, at place: Range<Int>, in spans: JSONSpans) -> Bool {
        let bundle = spans.members(of: place)?.first { $0.name == "bundle" }
        return bundle.map { String(decoding: spans.bytes[$0.value], as: UTF8.self) } == "\"\(identifier)\""
    }

    private struct Outline: Decodable {
        let identifier: String
    }

    private static func isDocument(_ text: String) -> Bool {
        (try? StrictJSON.decode(Outline.self, from: Array(text.utf8))) != nil
    }
}
