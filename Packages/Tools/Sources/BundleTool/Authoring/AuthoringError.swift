import Console
import PluginCore

/// An error of the commands that create, build and run a plugin's sources.
enum AuthoringError: Error, Equatable {
    /// The folder for a new plugin has files already.
    case folderUsed(FilePath)
    /// The folder is not a plugin's.
    case noPlugin(FilePath)
    /// The program isn't part of an SDK.
    case noSDK(FilePath)
    /// A program that is needed is not installed.
    case programMissing(String)
    /// A program failed after printing its errors.
    case programFailed(String, status: Int32)
    /// A plugin with code has no Swift package.
    case noPackage(FilePath)
    /// The package builds no library with the name in the manifest.
    case libraryNotBuilt(FilePath, entry: String)
    /// No test was run.
    case noTests(FilePath)
    /// The modules of the SDK are for another version of Swift.
    case swiftDiffers(installed: String, needed: String)
    /// Another command builds or runs the plugin.
    case busy(FilePath)
    /// A bundle has no page that can be opened.
    case nothingToOpen(FilePath)
}

extension AuthoringError: ReportableError {
    var report: FailureReport {
        switch self {
        case .folderUsed(let folder):
            FailureReport(
                code: "folderUsed", subject: folder.string, message: "the folder \"\(folder)\" is not empty",
                remedy: "choose another folder with --directory")
        case .noPlugin(let folder):
            FailureReport(
                code: "pluginMissing", subject: folder.string,
                message: "there is no plugin in \"\(folder)\": it has no manifest.json",
                remedy: "specify a plugin's folder, or create one with \"bundletool new\"")
        case .noSDK(let folder):
            FailureReport(
                code: "sdkMissing", subject: folder.string,
                message: "there is no SDK in \"\(folder)\": the folders modules, include and lib are missing",
                remedy: "use the bundletool of an SDK; \"Scripts/sdk\" in a checkout of Atrium creates one")
        case .programMissing(let name):
            FailureReport(
                code: "programMissing", subject: name, message: "the program \"\(name)\" is not installed",
                remedy: name == "swift"
                    ? "install the version of Swift that sdk.json names from https://www.swift.org/install, and put it on PATH"
                    : "use the bundletool of an SDK; \"Scripts/sdk\" in a checkout of Atrium creates one")
        case .programFailed(let command, let status):
            FailureReport(
                code: "programFailed", subject: command, message: "\"\(command)\" failed with status \(status)",
                remedy: "fix the errors above")
        case .noPackage(let folder):
            FailureReport(
                code: "packageMissing", subject: folder.string,
                message: "the plugin in \"\(folder)\" has code, but there is no Package.swift",
                remedy: "create its Package.swift, or change \"kind\" in manifest.json to assets")
        case .libraryNotBuilt(let folder, let entry):
            FailureReport(
                code: "libraryNotBuilt", subject: entry,
                message:
                    "the package in \"\(folder)\" builds no library \"\(entry)\", which manifest.json names as entry",
                remedy: "make \"entry\" the name of a dynamic library product: lib<product>.so")
        case .noTests(let folder):
            FailureReport(
                code: "testsMissing", subject: folder.string, message: "no test of the plugin in \"\(folder)\" was run",
                remedy: "add a test to its folder Tests, or choose others with --filter")
        case .swiftDiffers(let installed, let needed):
            FailureReport(
                code: "swiftDiffers", subject: installed,
                message: "the modules of this SDK are for Swift \(needed), but the installed Swift is \(installed)",
                remedy: "put Swift \(needed) on PATH, or use the SDK that was made for Swift \(installed)")
        case .busy(let folder):
            FailureReport(
                code: "projectBusy", subject: folder.string,
                message: "another command of bundletool uses the plugin in \"\(folder)\"",
                remedy: "quit it or wait for its end, and run the command again")
        case .nothingToOpen(let folder):
            FailureReport(
                code: "pageMissing", subject: folder.string,
                message: "the bundle in \"\(folder)\" has no page that opens without parameters",
                remedy: "add an address, such as app://hello/42; a library is tried with a plugin that requires it")
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .folderUsed, .programFailed, .libraryNotBuilt, .noTests: .badInput
        case .busy: .refused
        case .swiftDiffers: .notFound
        case .nothingToOpen: .usage
        case .noPlugin, .noSDK, .programMissing, .noPackage: .notFound
        }
    }
}
