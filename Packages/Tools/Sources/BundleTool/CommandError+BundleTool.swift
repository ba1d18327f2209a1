import Console
import HostSystem
import PluginCore
import PluginLint

extension CommandError {
    /// A path of the command line, or one that follows from it, does not exist.
    static func notThere(_ path: FilePath, _ kind: FileKind, remedy: String) -> Self {
        Self(
            .notFound, path, code: "fileUnknown",
            reason: Files.kind(of: path) == .other ? "pathNotPlain" : "pathMissing",
            ["kind": .text(kind.rawValue), "remedy": .text(remedy)])
    }

    /// A file that is never overwritten exists.
    static func alreadyThere(_ path: FilePath, remedy: String) -> Self {
        Self(.refused, path, code: "fileExists", reason: "pathTaken", ["remedy": .text(remedy)])
    }

    /// A folder does not contain an extracted bundle.
    static func noBundle(_ folder: FilePath) -> Self { Self(.badInput, folder, reason: "bundleMissing") }
}

// Projects of authors.
extension CommandError {
    /// The folder for a new plugin has files already.
    static func folderUsed(_ folder: FilePath) -> Self { Self(.badInput, folder, reason: "folderUsed") }

    /// The folder is not a plugin's.
    static func noPlugin(_ folder: FilePath) -> Self { Self(.notFound, folder, reason: "pluginMissing") }

    /// The program isn't part of an SDK.
    static func noSDK(_ folder: FilePath) -> Self { Self(.notFound, folder, reason: "sdkMissing") }

    /// A program that is needed is not installed.
    static func programMissing(_ name: String) -> Self {
        let isSwift = name == "swift"
        return Self(.notFound, name, code: "programMissing", reason: isSwift ? "swiftMissing" : "programMissing")
    }

    /// A program failed after printing its errors.
    static func programFailed(_ command: String, status: Int32) -> Self {
        Self(.badInput, command, reason: "programFailed", ["status": .integer(Int(status))])
    }

    /// A plugin with code has no Swift package.
    static func noPackage(_ folder: FilePath) -> Self { Self(.notFound, folder, reason: "packageMissing") }

    /// The package builds no library with the name in the manifest.
    static func libraryNotBuilt(_ folder: FilePath, entry: String) -> Self {
        Self(.badInput, entry, reason: "libraryNotBuilt", ["folder": .text(folder.string)])
    }

    /// No test was run.
    static func noTests(_ folder: FilePath) -> Self { Self(.badInput, folder, reason: "testsMissing") }

    /// The modules of the SDK are for another version of Swift.
    static func swiftDiffers(installed: String, needed: String) -> Self {
        Self(.notFound, installed, reason: "swiftDiffers", ["needed": .text(needed)])
    }

    /// Another command builds or runs the plugin.
    static func projectBusy(_ folder: FilePath) -> Self { Self(.refused, folder, reason: "projectBusy") }

    /// A bundle has no page that can be opened.
    static func nothingToOpen(_ folder: FilePath) -> Self { Self(.usage, folder, reason: "pageMissing") }
}

// The libraries of a package.
extension CommandError {
    /// The library of a bundle with code is missing.
    static func libraryNeeded(_ identity: BundleIdentity, _ kind: BundleKind, entry: String) -> Self {
        Self(
            .usage, identity, code: "libraryNeeded", reason: "libraryNotGiven",
            ["kind": .text(kind.rawValue), "entry": .text(entry)])
    }

    /// A library was given for a bundle without code.
    static func libraryUnwanted(_ identity: BundleIdentity, library: FilePath) -> Self {
        Self(.usage, library, reason: "libraryUnwanted", ["identity": "\(identity)"])
    }

    /// The library of an extension is missing.
    static func extensionLibraryNeeded(_ identity: BundleIdentity, entry: String, platform: String) -> Self {
        Self(
            .usage, identity, code: "libraryNeeded",
            reason: platform == Platform.triple ? "extensionLibraryNeeded" : "platformLibraryNeeded",
            ["entry": .text(entry), "platform": .text(platform)])
    }

    /// There are libraries for other platforms, but none for this machine's, which must say what the code declares.
    static func ownLibraryNeeded(_ identity: BundleIdentity, platforms: [String]) -> Self {
        Self(
            .usage, identity, code: "libraryNeeded", reason: "ownLibraryNeeded",
            ["platforms": .list(platforms), "own": .text(Platform.triple)])
    }

    /// A library was given that no extension in the manifest has.
    static func extensionLibraryUnwanted(_ identity: BundleIdentity, library: FilePath, entries: [String]) -> Self {
        Self(
            .usage, library, code: "libraryUnwanted",
            reason: entries.isEmpty ? "extensionNotDeclared" : "extensionLibraryUnwanted",
            ["identity": "\(identity)", "library": .text(library.lastComponent), "entries": .list(entries)])
    }

    /// The code of a plugin did not say what it declares.
    static func codeNotQueried(_ library: FilePath, _ problem: String, output: [String]) -> Self {
        Self(
            .badInput, library, reason: "codeNotQueried",
            ["problem": .text(problem), "symbol": .text(PluginEntry.symbol)],
            details: output.map { "it printed: \($0)" })
    }

    /// There are warnings, which were requested to be errors.
    static func warnings(_ folder: FilePath, _ warnings: [String]) -> Self {
        Self(.badInput, folder, code: "warnings", reason: "strictWarnings", details: warnings)
    }
}

// The passwords of keys.
extension CommandError {
    /// The key is encrypted, no file with a password was named, and there is no terminal to ask on.
    static func passwordNeeded(_ key: FilePath) -> Self {
        Self(.usage, key, code: "passwordNeeded", reason: "passwordMissing")
    }

    /// The password is wrong or the key is damaged, which the encryption does not distinguish.
    static func passwordWrong(_ key: FilePath) -> Self {
        Self(.refused, key, code: "passwordWrong", reason: "passwordDiffers")
    }

    /// The user canceled the question for the password.
    static func passwordRefused(_ key: FilePath) -> Self { Self(.refused, key, reason: "passwordRefused") }

    /// The password file is not valid text.
    static func passwordUnreadable(_ file: FilePath) -> Self {
        Self(.badInput, file, reason: "passwordUnreadable", ["limit": .integer(KeyPassword.limit)])
    }
}

// Checks of plugins.
extension CommandError {
    /// The plugin cannot be installed in a sandbox.
    static func notInstalled(_ problem: String) -> Self {
        Self(.refused, "", reason: "packageNotInstalled", ["problem": .text(problem)])
    }

    /// A bundle of kind lib, which only runs as part of others.
    static func libraryNotValidated(_ identity: BundleIdentity) -> Self {
        Self(.usage, identity, reason: "libraryNotValidated")
    }

    /// Code that would run with all rights of the user without the user's consent.
    static func codeNotTrusted(_ bundles: [BundleIdentity]) -> Self {
        let names = bundles.map(\.description)
        return Self(
            .refused, names.joined(separator: ", "), reason: "codeNotTrusted",
            ["bundles": .list(names.map { "\"\($0)\"" })])
    }

    /// An address that is not the plugin's.
    static func addressUnknown(_ address: String, _ identity: BundleIdentity) -> Self {
        Self(.usage, address, reason: "addressUnknown", ["identity": "\(identity)"])
    }

    /// A folder is neither a published catalog nor a folder of packages.
    static func nothingPublished(_ folder: FilePath) -> Self {
        Self(.notFound, folder, code: "catalogUnknown", reason: "nothingPublished")
    }

    /// A package would break plugins that work with the version before.
    static func contractBroken(_ identity: BundleIdentity, old: SemanticVersion, _ report: LintReport) -> Self {
        Self(
            .refused, identity, reason: "contractBroken",
            ["old": "\(old)", "codes": .list(report.findings.map { "--allow \($0.rule.code)" })],
            details: report.findings.flatMap { group in
                group.problems.map { "\(group.rule.code): \($0.words)" }
            })
    }
}

/// The expected kind of a file.
enum FileKind: String {
    /// A regular file.
    case file

    /// A folder.
    case folder
}
