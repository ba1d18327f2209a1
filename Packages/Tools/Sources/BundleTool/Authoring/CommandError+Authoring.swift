import Console
import PluginCore

extension CommandError {
    /// The folder for a new plugin has files already.
    static func folderUsed(_ folder: FilePath) -> Self {
        Self(
            .badInput, code: "folderUsed", subject: folder.string, message: "the folder \"\(folder)\" is not empty",
            remedy: "choose another folder with --directory")
    }

    /// The folder is not a plugin's.
    static func noPlugin(_ folder: FilePath) -> Self {
        Self(
            .notFound, code: "pluginMissing", subject: folder.string,
            message: "there is no plugin in \"\(folder)\": it has no manifest.json",
            remedy: "specify a plugin's folder, or create one with \"bundletool new\"")
    }

    /// The program isn't part of an SDK.
    static func noSDK(_ folder: FilePath) -> Self {
        Self(
            .notFound, code: "sdkMissing", subject: folder.string,
            message: "there is no SDK in \"\(folder)\": the folders modules, include and lib are missing",
            remedy: "use the bundletool of an SDK; \"Scripts/sdk\" in a checkout of Atrium creates one")
    }

    /// A program that is needed is not installed.
    static func programMissing(_ name: String) -> Self {
        Self(
            .notFound, code: "programMissing", subject: name, message: "the program \"\(name)\" is not installed",
            remedy: name == "swift"
                ? "install the version of Swift that sdk.json names from https://www.swift.org/install, and put it on PATH"
                : "use the bundletool of an SDK; \"Scripts/sdk\" in a checkout of Atrium creates one")
    }

    /// A program failed after printing its errors.
    static func programFailed(_ command: String, status: Int32) -> Self {
        Self(
            .badInput, code: "programFailed", subject: command, message: "\"\(command)\" failed with status \(status)",
            remedy: "fix the errors above")
    }

    /// A plugin with code has no Swift package.
    static func noPackage(_ folder: FilePath) -> Self {
        Self(
            .notFound, code: "packageMissing", subject: folder.string,
            message: "the plugin in \"\(folder)\" has code, but there is no Package.swift",
            remedy: "create its Package.swift, or change \"kind\" in manifest.json to assets")
    }

    /// The package builds no library with the name in the manifest.
    static func libraryNotBuilt(_ folder: FilePath, entry: String) -> Self {
        Self(
            .badInput, code: "libraryNotBuilt", subject: entry,
            message:
                "the package in \"\(folder)\" builds no library \"\(entry)\", which manifest.json names as entry",
            remedy: "make \"entry\" the name of a dynamic library product: lib<product>.so")
    }

    /// No test was run.
    static func noTests(_ folder: FilePath) -> Self {
        Self(
            .badInput, code: "testsMissing", subject: folder.string,
            message: "no test of the plugin in \"\(folder)\" was run",
            remedy: "add a test to its folder Tests, or choose others with --filter")
    }

    /// The modules of the SDK are for another version of Swift.
    static func swiftDiffers(installed: String, needed: String) -> Self {
        Self(
            .notFound, code: "swiftDiffers", subject: installed,
            message: "the modules of this SDK are for Swift \(needed), but the installed Swift is \(installed)",
            remedy: "put Swift \(needed) on PATH, or use the SDK that was made for Swift \(installed)")
    }

    /// Another command builds or runs the plugin.
    static func projectBusy(_ folder: FilePath) -> Self {
        Self(
            .refused, code: "projectBusy", subject: folder.string,
            message: "another command of bundletool uses the plugin in \"\(folder)\"",
            remedy: "quit it or wait for its end, and run the command again")
    }

    /// A bundle has no page that can be opened.
    static func nothingToOpen(_ folder: FilePath) -> Self {
        Self(
            .usage, code: "pageMissing", subject: folder.string,
            message: "the bundle in \"\(folder)\" has no page that opens without parameters",
            remedy: "add an address, such as app://hello/42; a library is tried with a plugin that requires it")
    }
}
