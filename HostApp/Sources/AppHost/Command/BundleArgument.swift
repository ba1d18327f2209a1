import Console
import PluginCore
import PluginRuntime
import Registry

/// Parses an argument of the form `ID[@VERSION]`.
///
/// - Parameters:
///   - argument: the argument's name in the help text.
///   - alternative: another accepted form, listed last in the error message; `nil` if there is none.
///   - command: the command that takes the argument.
func bundle(
    _ word: String, as argument: String = "<ID[@VERSION]>", or alternative: String? = nil, of command: String
) throws(UsageError) -> (identifier: String, version: SemanticVersion?) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let version = parts.count == 2 ? SemanticVersion(parts[1]) : nil
    guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || version != nil else {
        throw UsageError(
            .invalidValue, subject: argument,
            expected: [
                alternative.map {
                    localized("an identifier, identifier and version such as com.example.app.shop@1.0.0, \($0)")
                } ?? localized("an identifier, or identifier and version such as com.example.app.shop@1.0.0")
            ],
            command: ["hostapp", command], value: word)
    }
    return (identifier, version)
}

extension HostCall {
    /// Returns the identifier that a user typed.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown` and the identifiers that the word may stand for.
    func identifier(_ word: String) throws(AtriumError) -> BundleIdentifier {
        if let identifier = BundleIdentifier(word) { return identifier }
        // Without a local catalog, the installed bundles alone are suggested.
        let offered = (try? manager.offers.localIdentifiers()) ?? []
        let known = Set(try manager.registry.active.identifiers()).union(offered)
        throw AtriumError(.bundleUnknown, word, nearest: Nearest.identifiers(to: word, in: known.sorted()))
    }

    /// Returns the identifier that a user typed for an installed bundle, which may still turn out not to be installed.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` and the installed bundles that the word may stand for.
    func installed(_ word: String) throws(AtriumError) -> BundleIdentifier {
        if let identifier = BundleIdentifier(word) { return identifier }
        let known = try manager.registry.active.identifiers()
        throw AtriumError(.bundleNotInstalled, word, nearest: Nearest.identifiers(to: word, in: known))
    }

    /// Returns the identifiers that a user typed for installed bundles.
    func installed(in argument: String) throws(AtriumError) -> [BundleIdentifier] {
        var identifiers: [BundleIdentifier] = []
        for word in parsed.arguments(argument) { identifiers.append(try installed(word)) }
        return identifiers
    }
}
