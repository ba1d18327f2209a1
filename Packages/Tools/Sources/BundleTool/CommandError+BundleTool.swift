import Console
import PluginCore

// The errors that several commands have. All others are beside their conditions.
extension CommandError {
    /// A path of the command line, or one that follows from it, does not exist.
    static func notThere(_ path: FilePath, _ kind: String = "file", remedy: String) -> Self {
        Self(
            .notFound, path, code: "fileUnknown",
            reason: Files.kind(of: path) == .other ? "pathNotPlain" : "pathMissing",
            ["kind": "\(kind)", "remedy": Self.remedy(remedy)])
    }

    /// A file that is never overwritten exists.
    static func alreadyThere(_ path: FilePath, remedy: String) -> Self {
        Self(.refused, path, code: "fileExists", reason: "pathTaken", ["remedy": Self.remedy(remedy)])
    }

    /// Returns the remedy with a name, which is in the section `bundletool` of `en.json` as `remedy NAME`; other words are a remedy themselves.
    private static func remedy(_ name: String) -> ErrorReason.Value {
        let text = TextCatalog.authorText("bundletool", "remedy " + name)
        return .text(text.isEmpty ? name : text)
    }

    /// A program failed after printing its errors.
    static func programFailed(_ command: String, status: Int32) -> Self {
        Self(.badInput, command, reason: "programFailed", ["status": .integer(Int(status))])
    }

    /// A bundle has no page that can be opened.
    static func nothingToOpen(_ folder: FilePath) -> Self { Self(.usage, folder, reason: "pageMissing") }

    /// A library was given for a bundle without code.
    static func libraryUnwanted(_ identity: BundleIdentity, library: FilePath) -> Self {
        Self(.usage, library, reason: "libraryUnwanted", ["identity": "\(identity)"])
    }

    /// The user canceled the question for the password.
    static func passwordRefused(_ key: FilePath) -> Self { Self(.refused, key, reason: "passwordRefused") }

    /// A folder is neither a published catalog nor a folder of packages.
    static func nothingPublished(_ folder: FilePath) -> Self {
        Self(.notFound, folder, code: "catalogUnknown", reason: "nothingPublished")
    }

    /// An archive is another one than signed metadata describe.
    static func interfaceDiffers(_ identity: BundleIdentity, _ problems: [String]) -> Self {
        Self(.refused, identity, reason: "componentMismatch", details: problems)
    }

    /// No catalog is named.
    static var catalogMissing: Self { Self(.usage, "--catalog", code: "catalogMissing", reason: "catalogUnnamed") }

    /// No version is in a range.
    static func nothingInRange(_ subject: String, range: String, offered: [SemanticVersion]) -> Self {
        Self(
            .notFound, subject, code: "versionUnknown", reason: offered.isEmpty ? "catalogEmpty" : "nothingInRange",
            ["range": "\(range)", "offered": .text(list(offered))])
    }

    /// Returns the first of some versions in words.
    static func list(_ versions: [SemanticVersion]) -> String {
        let most = 10
        return (versions.prefix(most).map(\.description) + (versions.count > most ? ["..."] : []))
            .joined(separator: ", ")
    }
}
