/// The lines at the end of an author's Package.swift that make its targets depend on the components.
///
/// They are rewritten as a whole, so that adding, updating and removing need no understanding of the lines above.
enum PackageBlock {
    private static let beginning =
        "// Components: \"bundletool add\" and \"bundletool remove\" rewrite the lines down to \"End of components.\""
    private static let end = "// End of components."

    /// Returns the lines for some modules.
    static func lines(for modules: [String]) -> [String] {
        guard !modules.isEmpty else { return [] }
        return [beginning, "package.dependencies += ["] + modules.map { "    .package(path: \"Components/\($0)\")," }
            + ["]", "for target in package.targets where [.regular, .executable, .test].contains(target.type) {"]
            + ["    target.dependencies += ["]
            + modules.map { "        .product(name: \"\($0)\", package: \"\($0)\")," } + ["    ]", "}", end]
    }

    /// Returns a Package.swift with the lines for some modules in place of those for others.
    ///
    /// - Returns: `nil` if it has no constant or variable `package`, or if the marks of the lines are damaged.
    static func applied(_ modules: [String], to text: String) -> String? {
        guard var rest = removed(from: text) else { return nil }
        guard rest.contains(/(?m)^(let|var) package = Package\(/) else { return nil }
        let lines = lines(for: modules)
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
        let (begins, ends) = (
            lines.indices.filter { lines[$0] == beginning }, lines.indices.filter { lines[$0] == end }
        )
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

/// The Package.swift of a component in an author's package, which is not taken from the archive.
enum ComponentPackage {
    /// Returns the content.
    static func text(module: String) -> String {
        """
        // swift-tools-version: 6.3
        // Written by "bundletool add", which replaces this folder.
        import PackageDescription

        let package = Package(
            name: "\(module)",
            products: [.library(name: "\(module)", type: .static, targets: ["\(module)"])],
            targets: [
                .target(
                    name: "\(module)",
                    // As in PluginCore: without it, async closures of the two have different types.
                    swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
            ]
        )

        """
    }
}
