import BundleFormat
import Console
import PluginCore
import PluginRuntime

/// An error of a validation that runs no check.
enum ValidationError: Error, Equatable {
    /// The plugin cannot be installed in a sandbox.
    case notInstalled(String)
    /// A bundle of kind lib, which only runs as part of others.
    case library(BundleIdentity)
    /// Code that would run with all rights of the user without the user's consent.
    case codeNotTrusted([BundleIdentity])
    /// An address that is not the plugin's.
    case addressUnknown(String, BundleIdentity)
}

extension ValidationError: ReportableError {
    var report: FailureReport {
        switch self {
        case .notInstalled(let reason):
            FailureReport(
                code: "packageNotInstalled", subject: "", message: "the package cannot be installed: \(reason)",
                remedy: "correct the package; add --dependency for each package that it requires")
        case .library(let identity):
            FailureReport(
                code: "libraryNotValidated", subject: identity.description,
                message: "\"\(identity)\" is of kind lib, and runs only as part of the plugins that require it",
                remedy: "validate such a plugin, with this package as --dependency")
        case .codeNotTrusted(let bundles):
            FailureReport(
                code: "codeNotTrusted", subject: bundles.map(\.description).joined(separator: ", "),
                message:
                    "the code of \(bundles.map { "\"\($0)\"" }.joined(separator: ", ")) was not built here, and would "
                    + "run with all your rights",
                remedy: "add --trust-code if you trust its author, or validate the folder of the plugin")
        case .addressUnknown(let address, let identity):
            FailureReport(
                code: "addressUnknown", subject: address,
                message: "\"\(identity)\" has no route for \"\(address)\"",
                remedy: "specify an address of the plugin; \"bundletool inspect\" lists its routes")
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .notInstalled, .codeNotTrusted: .refused
        case .library, .addressUnknown: .usage
        }
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
    /// - Throws: ``ValidationError`` after a no, and without a terminal.
    func requireTrust() throws(ValidationError) {
        guard !bundles.isEmpty else { return }
        let names = bundles.map { "\"\($0)\"" }.joined(separator: ", ")
        guard TerminalQuestion.isPossible,
            TerminalQuestion.confirm("The code of \(names) was not built here, and runs with all your rights. Run it?")
        else { throw .codeNotTrusted(bundles) }
    }
}
