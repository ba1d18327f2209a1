public import Console
import HostSystem
public import PluginCore

/// An error for a request that does not match the files on disk.
public enum PackError: Error, Sendable, Equatable {
    /// The expected kind of a file.
    public enum Kind: String, Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
    }

    /// A path of the command line, or one that follows from it, does not exist.
    case notThere(FilePath, Kind, remedy: String)
    /// A folder does not contain an extracted bundle.
    case noBundle(FilePath)
    /// A file that is never overwritten exists.
    case alreadyThere(FilePath, remedy: String)
    /// The library of a bundle with code is missing.
    case libraryNeeded(BundleIdentity, BundleKind, entry: String)
    /// A library was given for a bundle without code.
    case libraryUnwanted(BundleIdentity, library: FilePath)
    /// The library of an extension is missing.
    ///
    /// The platform is `nil` for this machine's.
    case extensionLibraryNeeded(BundleIdentity, entry: String, platform: String? = nil)
    /// There are libraries for other platforms, but none for this machine's, which must say what the code declares.
    case ownLibraryNeeded(BundleIdentity, platforms: [String])
    /// A library was given that no extension in the manifest has.
    case extensionLibraryUnwanted(BundleIdentity, library: FilePath, entries: [String])
    /// The code of a plugin did not say what it declares.
    case codeNotQueried(library: FilePath, failure: QueryFailure, output: [String])
    /// There are warnings, which were requested to be errors.
    case warnings(FilePath, [String])
}

extension PackError: ReportableError {
    /// The report for people and scripts.
    public var report: FailureReport {
        switch self {
        case .notThere(let path, let kind, let remedy):
            FailureReport(
                code: "fileUnknown", subject: path.string,
                message: Files.kind(of: path) == .other
                    ? "\"\(path)\" is a pipe or a device, not a \(kind.rawValue)"
                    : "there is no \(kind.rawValue) \"\(path)\"",
                remedy: remedy)
        case .noBundle(let folder):
            FailureReport(
                code: "bundleMissing", subject: folder.string,
                message: "there is no bundle in \"\(folder)\": neither a manifest nor a seal",
                remedy: "specify a package, or the folder of an unpacked bundle")
        case .alreadyThere(let path, let remedy):
            FailureReport(
                code: "fileExists", subject: path.string, message: "\"\(path)\" already exists",
                remedy: remedy)
        case .libraryNeeded(let identity, let kind, let entry):
            FailureReport(
                code: "libraryNeeded", subject: identity.description,
                message: "\"\(identity)\" is of kind \(kind.rawValue) and cannot be packed without its library",
                remedy: "build the plugin, and add --library with the path of \(entry)")
        case .libraryUnwanted(let identity, let library):
            FailureReport(
                code: "libraryUnwanted", subject: library.string,
                message: "\"\(identity)\" is of kind assets and takes no library, but was given \"\(library)\"",
                remedy: "omit --library, or change the kind in the manifest")
        case .extensionLibraryNeeded(let identity, let entry, let platform):
            FailureReport(
                code: "libraryNeeded", subject: identity.description,
                message: "\"\(identity)\" has an extension in \(entry), but there is no such library beside its own"
                    + (platform.map { " for \($0)" } ?? ""),
                remedy: "build the extension, and add --extension-library with "
                    + (platform.map { "\($0)= and " } ?? "") + "the path of \(entry)")
        case .ownLibraryNeeded(let identity, let platforms):
            FailureReport(
                code: "libraryNeeded", subject: identity.description,
                message:
                    "\"\(identity)\" has libraries for \(platforms.joined(separator: ", ")), but none for this machine, "
                    + "so its code cannot say which routes and actions it has",
                remedy: "build the plugin for this machine, too, and add --library \(Platform.triple)=PATH; "
                    + "or pack it on a machine of one of these platforms")
        case .extensionLibraryUnwanted(let identity, let library, let entries):
            FailureReport(
                code: "libraryUnwanted", subject: library.string,
                message: "\"\(identity)\" has no extension in \"\(library.lastComponent)\"",
                remedy: entries.isEmpty
                    ? "omit --extension-library, or declare the extension in the manifest"
                    : "specify one of the libraries that the manifest declares: \(entries.joined(separator: ", "))")
        case .codeNotQueried(let library, let failure, let output):
            FailureReport(
                code: "codeNotQueried", subject: library.string,
                message: "the declarations in the code of \"\(library)\" cannot be read: \(failure.clause)",
                remedy:
                    "correct the plugin: \(PluginEntry.symbol) and the static declarations of its principal object, "
                    + "such as its routes or its point, must return at once and do nothing else",
                details: output.map { "it printed: \($0)" })
        case .warnings(let folder, let warnings):
            FailureReport(
                code: "warnings", subject: folder.string,
                message: "the plugin in \"\(folder)\" is not packed, because --strict treats warnings as errors",
                remedy: "fix the warnings, or omit --strict", details: warnings)
        }
    }

    /// The exit status of a program that fails with this error.
    ///
    /// It is 66 for a path that doesn't exist, 65 for a folder without a bundle, code that doesn't answer and warnings, 77 for a file that must not be
    /// overwritten, and 64 for a library that does not match the manifest.
    public var exitStatus: ExitStatus {
        switch self {
        case .notThere: .notFound
        case .noBundle, .codeNotQueried, .warnings: .badInput
        case .alreadyThere: .refused
        case .libraryNeeded, .libraryUnwanted, .extensionLibraryNeeded, .extensionLibraryUnwanted, .ownLibraryNeeded:
            .usage
        }
    }
}
