import Console
import Doctor
import PluginCore
import PluginRuntime
import Registry

extension HostCall {
    /// Parses an argument such as `ID[@VERSION]`, whose second part is optional.
    ///
    /// - Parameters:
    ///   - argument: the argument's name in the help text.
    ///   - expected: what the argument may be, in words.
    ///   - parse: parses the part after `@`; `nil` if it is invalid.
    func bundle<Part>(
        _ word: String, as argument: String, _ expected: String, _ parse: (String) -> Part?
    ) throws(UsageError) -> (identifier: String, part: Part?) {
        let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let part = parts.count == 2 ? parse(parts[1]) : nil
        guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || part != nil else {
            throw parsed.invalid("<\(argument)>", word, [expected])
        }
        return (identifier, part)
    }

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
        try parsed.arguments(argument).map { word throws(AtriumError) in try installed(word) }
    }
}
