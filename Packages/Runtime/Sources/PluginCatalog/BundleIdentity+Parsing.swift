package import PluginCore

extension BundleIdentity {
    /// Parses the text of an identity, such as `com.example.app.shop@1.1.0`.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let identifier = BundleIdentifier(String(parts[0])),
            let version = SemanticVersion(String(parts[1]))
        else { return nil }
        self.init(identifier: identifier, version: version)
    }
}
