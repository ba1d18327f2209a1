/// The Package.swift of a component in an author's package, which is not taken from the archive.
public enum ComponentPackage {
    /// Returns the content.
    public static func text(module: String) -> String {
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
