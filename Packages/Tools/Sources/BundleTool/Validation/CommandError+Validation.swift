import BundleFormat
import Console
import PluginCore
import PluginRuntime

extension CommandError {
    /// The plugin cannot be installed in a sandbox.
    static func notInstalled(_ reason: String) -> Self {
        Self(
            .refused, code: "packageNotInstalled", subject: "", message: "the package cannot be installed: \(reason)",
            remedy: "correct the package; add --dependency for each package that it requires")
    }

    /// A bundle of kind lib, which only runs as part of others.
    static func libraryNotValidated(_ identity: BundleIdentity) -> Self {
        Self(
            .usage, code: "libraryNotValidated", subject: identity.description,
            message: "\"\(identity)\" is of kind lib, and runs only as part of the plugins that require it",
            remedy: "validate such a plugin, with this package as --dependency")
    }

    /// Code that would run with all rights of the user without the user's consent.
    static func codeNotTrusted(_ bundles: [BundleIdentity]) -> Self {
        Self(
            .refused, code: "codeNotTrusted", subject: bundles.map(\.description).joined(separator: ", "),
            message:
                "the code of \(bundles.map { "\"\($0)\"" }.joined(separator: ", ")) was not built here, and would "
                + "run with all your rights",
            remedy: "add --trust-code if you trust its author, or validate the folder of the plugin")
    }

    /// An address that is not the plugin's.
    static func addressUnknown(_ address: String, _ identity: BundleIdentity) -> Self {
        Self(
            .usage, code: "addressUnknown", subject: address,
            message: "\"\(identity)\" has no route for \"\(address)\"",
            remedy: "specify an address of the plugin; \"bundletool inspect\" lists its routes")
    }
}

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
        let names = bundles.map { "\"\($0)\"" }.joined(separator: ", ")
        guard TerminalQuestion.isPossible,
            TerminalQuestion.confirm("The code of \(names) was not built here, and runs with all your rights. Run it?")
        else { throw .codeNotTrusted(bundles) }
    }
}
