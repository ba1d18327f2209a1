import Console
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
            replacing(place..<place, of: text, with: addition)
        }
        guard let requires = root[member] else {
            return inserting(",\n  \"\(member)\": [\n    \(requirement)\n  ]", at: end)
        }
        guard requires.isArray else { return nil }
        guard let last = requires.children.last else {
            return replacing(requires.range, of: text, with: "[\n    \(requirement)\n  ]")
        }
        guard let found = requires.children.first(where: { names(identifier, in: $0.value) })?.value else {
            return inserting(",\n    \(requirement)", at: last.range.upperBound)
        }
        if let versions = found["versions"] { return replacing(versions.range, of: text, with: range) }
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
        return replacing(place, of: text, with: "")
    }

    private static func replacing(_ range: Range<String.Index>, of text: String, with new: String) -> String {
        "\(text[..<range.lowerBound])\(new)\(text[range.upperBound...])"
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

/// The place of a value in the text of a JSON document, for changes that keep everything else.
///
/// The document must be valid, which a decoder has checked.
private struct JSONPlace {
    /// A member of an object, or an element of an array, which has no name.
    struct Child {
        /// The name, without resolving escapes.
        let name: Substring
        /// The place, with that of the name.
        let range: Range<String.Index>
        let value: JSONPlace
    }

    private(set) var range: Range<String.Index>
    /// The value's first token, which is the whole value of a text.
    let text: Substring
    private(set) var children: [Child] = []

    var isArray: Bool { text == "[" }

    init?(_ document: String) {
        let token = /"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+/.matchingSemantics(.unicodeScalar)
        var tokens = document.matches(of: token)[...]
        self.init(&tokens)
    }

    private init?(_ tokens: inout ArraySlice<Regex<Substring>.Match>) {
        guard let first = tokens.popFirst() else { return nil }
        (range, text) = (first.range, first.output)
        guard text == "{" || text == "[" else { return }
        while let next = tokens.first, next.output != "}", next.output != "]" {
            let name = isArray ? "" : next.output.dropFirst().dropLast()
            if !isArray { tokens = tokens.dropFirst(2) }
            guard let value = JSONPlace(&tokens) else { return nil }
            children.append(
                Child(name: name, range: next.range.lowerBound..<value.range.upperBound, value: value))
            if tokens.first?.output == "," { tokens.removeFirst() }
        }
        guard let last = tokens.popFirst() else { return nil }
        range = first.range.lowerBound..<last.range.upperBound
    }

    /// The value of a member.
    subscript(name: String) -> JSONPlace? { children.first { $0.name == name }?.value }

    /// Returns the place of a child with the comma and the space that go with it.
    func removal(of index: Int) -> Range<String.Index> {
        let place = children[index].range
        if index + 1 < children.count { return place.lowerBound..<children[index + 1].range.lowerBound }
        return index == 0 ? place : children[index - 1].range.upperBound..<place.upperBound
    }
}
