import BundleFormat
import Console
import PluginCore

/// The code of a validation that was built elsewhere and runs with all rights of the user.
enum UnconfinedCode {
    /// Asks the user whether the code in packages may run that no host confines.
    ///
    /// - Parameter built: the package that was built for this validation; `nil` for none.
    /// - Throws: ``CommandError`` after a no, and without a terminal; `AtriumError` for an invalid package.
    static func requireTrust(in packages: [FilePath], besides built: FilePath?) throws {
        let unconfined = try packages.map { (path: $0, manifest: try PackageFile(path: $0).manifest()) }
            .filter { $0.manifest.entry != nil && $0.manifest.isolation != .process }
        let (apps, libraries) = (
            unconfined.filter { $0.manifest.kind != .lib }, unconfined.filter { $0.manifest.kind == .lib }
        )
        // A library runs in the process of the plugin that requires it.
        let bundles = (apps + (apps.isEmpty ? [] : libraries)).filter { $0.path != built }.map(\.manifest.identity)
        guard !bundles.isEmpty else { return }
        let quoted = bundles.map { "\"\($0)\"" }
        let names = quoted.joined(separator: ", ")
        guard TerminalQuestion.isPossible,
            TerminalQuestion.confirm("The code of \(names) was not built here, and runs with all your rights. Run it?")
        else {
            throw CommandError(
                .refused, bundles.map(\.description).joined(separator: ", "), reason: "codeNotTrusted",
                ["bundles": .list(quoted)])
        }
    }
}
