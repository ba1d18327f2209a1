import Authoring
import Console
import HostSystem
import PluginCore

/// A requirement of another plugin in the text of a manifest, which is changed without touching anything else.
enum ManifestRequirement {
    private static let member = "requires"

    /// Returns a manifest that requires a plugin in a range of versions.
    ///
    /// A new requirement is one that the first call installs, because a call is how an Interface is used; a library is linked.
    ///
    /// - Returns: `nil` if the text is not an object, or if its requirements are not objects.
    static func set(
        _ identifier: BundleIdentifier, _ range: String, isOnDemand: Bool = true, in text: String
    ) -> String? {
        guard let root = root(of: text), let end = root.children.last?.range.upperBound else { return nil }
        let range = JSONText.string(range).text()
        let time = isOnDemand ? ", \"onDemand\": true" : ""
        let requirement = "{ \"bundle\": \"\(identifier)\", \"versions\": \(range)\(time) }"
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
        guard let element = requires.children.firstIndex(where: { names(identifier, in: $0.value) })
        else { return text }
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

/// The lines at the end of an author's Package.swift that make its targets depend on the components.
///
/// They are rewritten as a whole, so that adding, updating and removing need no understanding of the lines above.
enum PackageBlock {
    private static let beginning =
        "// Components: \"bundletool add\" and \"bundletool remove\" rewrite the lines down to \"End of components.\""
    private static let end = "// End of components."

    /// Returns the lines for some modules.
    ///
    /// - Parameter sources: The variables with the folders from which libraries are built, by their modules.
    static func lines(for modules: [String], _ sources: [String: String] = [:]) -> [String] {
        guard !modules.isEmpty else { return [] }
        let packages = modules.map { module in
            let path = "\"Components/\(module)\""
            guard let source = sources[module] else { return "    .package(path: \(path))," }
            return "    .package(name: \"\(module)\", path: Context.environment[\"\(source)\"] ?? \(path)),"
        }
        return [beginning, "package.dependencies += ["] + packages
            + ["]", "for target in package.targets where [.regular, .executable, .test].contains(target.type) {"]
            + ["    target.dependencies += ["]
            + modules.map { "        .product(name: \"\($0)\", package: \"\($0)\")," } + ["    ]", "}", end]
    }

    /// Returns a Package.swift with the lines for some modules in place of those for others.
    ///
    /// - Returns: `nil` if it has no constant or variable `package`, or if the marks of the lines are damaged.
    static func applied(_ modules: [String], _ sources: [String: String] = [:], to text: String) -> String? {
        guard var rest = removed(from: text) else { return nil }
        guard rest.contains(/(?m)^(let|var) package = Package\(/) else { return nil }
        let lines = lines(for: modules, sources)
        guard !lines.isEmpty else { return rest }
        while rest.hasSuffix("\n") { rest.removeLast() }
        return rest + "\n\n" + lines.joined(separator: "\n") + "\n"
    }

    /// Returns whether a Package.swift has a target, product or package of a name outside of these lines.
    static func isTaken(_ name: String, in text: String) -> Bool {
        (removed(from: text) ?? text).contains("name: \"\(name)\"")
    }

    /// Returns the text without the lines; `nil` if their marks are damaged.
    private static func removed(from text: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let begins = lines.indices.filter { lines[$0] == beginning }
        let ends = lines.indices.filter { lines[$0] == end }
        if begins.isEmpty, ends.isEmpty { return text }
        guard let first = begins.first, let last = ends.first, begins.count == 1, ends.count == 1, first < last else {
            return nil
        }
        lines.removeSubrange(first...last)
        var rest = lines.joined(separator: "\n")
        while rest.hasSuffix("\n\n") { rest.removeLast() }
        return rest
    }
}
