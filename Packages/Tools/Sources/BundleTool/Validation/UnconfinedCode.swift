import BundleFormat
import Console
import PluginCore
import PluginRuntime

/// The packages of a validation whose code was built elsewhere and runs with all rights of the user.
struct UnconfinedCode {
    let bundles: [BundleIdentity]

    /// Finds the packages whose code no host confines.
    ///
    /// - Parameter built: the package that was built for this validation; `nil` for none.
    init(in packages: [FilePath], besides built: FilePath?) throws(AtriumError) {
        var (apps, libraries): ([BundleIdentity], [BundleIdentity]) = ([], [])
        var hasUnconfinedApp = false
        for package in packages {
            let manifest = try PackageFile(path: package).manifest()
            let isUnconfined = manifest.entry != nil && manifest.isolation != .process
            if manifest.kind != .lib, isUnconfined { hasUnconfinedApp = true }
            guard package != built, isUnconfined else { continue }
            if manifest.kind == .lib { libraries.append(manifest.identity) } else { apps.append(manifest.identity) }
        }
        // A library runs in the process of the plugin that requires it.
        bundles = apps + (hasUnconfinedApp ? libraries : [])
    }

    /// Asks the user whether the code may run.
    ///
    /// - Throws: ``CommandError`` after a no, and without a terminal.
    func requireTrust() throws(CommandError) {
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
