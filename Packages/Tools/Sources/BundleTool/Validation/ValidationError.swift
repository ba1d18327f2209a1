import Console
import PluginCore

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
