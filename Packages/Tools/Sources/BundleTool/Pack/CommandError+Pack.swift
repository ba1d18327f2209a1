import Console
import HostSystem
import PluginCore

extension CommandError {
    /// A path of the command line, or one that follows from it, does not exist.
    static func notThere(_ path: FilePath, _ kind: FileKind, remedy: String) -> Self {
        Self(
            .notFound, code: "fileUnknown", subject: path.string,
            message: Files.kind(of: path) == .other
                ? "\"\(path)\" is a pipe or a device, not a \(kind.rawValue)"
                : "there is no \(kind.rawValue) \"\(path)\"",
            remedy: remedy)
    }

    /// A folder does not contain an extracted bundle.
    static func noBundle(_ folder: FilePath) -> Self {
        Self(
            .badInput, code: "bundleMissing", subject: folder.string,
            message: "there is no bundle in \"\(folder)\": neither a manifest nor a seal",
            remedy: "specify a package, or the folder of an unpacked bundle")
    }

    /// A file that is never overwritten exists.
    static func alreadyThere(_ path: FilePath, remedy: String) -> Self {
        Self(
            .refused, code: "fileExists", subject: path.string, message: "\"\(path)\" already exists",
            remedy: remedy)
    }

    /// The library of a bundle with code is missing.
    static func libraryNeeded(_ identity: BundleIdentity, _ kind: BundleKind, entry: String) -> Self {
        Self(
            .usage, code: "libraryNeeded", subject: identity.description,
            message: "\"\(identity)\" is of kind \(kind.rawValue) and cannot be packed without its library",
            remedy: "build the plugin, and add --library with the path of \(entry)")
    }

    /// A library was given for a bundle without code.
    static func libraryUnwanted(_ identity: BundleIdentity, library: FilePath) -> Self {
        Self(
            .usage, code: "libraryUnwanted", subject: library.string,
            message: "\"\(identity)\" is of kind assets and takes no library, but was given \"\(library)\"",
            remedy: "omit --library, or change the kind in the manifest")
    }

    /// The library of an extension is missing.
    ///
    /// The platform is `nil` for this machine's.
    static func extensionLibraryNeeded(_ identity: BundleIdentity, entry: String, platform: String? = nil) -> Self {
        Self(
            .usage, code: "libraryNeeded", subject: identity.description,
            message: "\"\(identity)\" has an extension in \(entry), but there is no such library beside its own"
                + (platform.map { " for \($0)" } ?? ""),
            remedy: "build the extension, and add --extension-library with "
                + (platform.map { "\($0)= and " } ?? "") + "the path of \(entry)")
    }

    /// There are libraries for other platforms, but none for this machine's, which must say what the code declares.
    static func ownLibraryNeeded(_ identity: BundleIdentity, platforms: [String]) -> Self {
        Self(
            .usage, code: "libraryNeeded", subject: identity.description,
            message:
                "\"\(identity)\" has libraries for \(platforms.joined(separator: ", ")), but none for this machine, "
                + "so its code cannot say which routes and actions it has",
            remedy: "build the plugin for this machine, too, and add --library \(Platform.triple)=PATH; "
                + "or pack it on a machine of one of these platforms")
    }

    /// A library was given that no extension in the manifest has.
    static func extensionLibraryUnwanted(_ identity: BundleIdentity, library: FilePath, entries: [String]) -> Self {
        Self(
            .usage, code: "libraryUnwanted", subject: library.string,
            message: "\"\(identity)\" has no extension in \"\(library.lastComponent)\"",
            remedy: entries.isEmpty
                ? "omit --extension-library, or declare the extension in the manifest"
                : "specify one of the libraries that the manifest declares: \(entries.joined(separator: ", "))")
    }

    /// The code of a plugin did not say what it declares.
    static func codeNotQueried(_ library: FilePath, _ problem: String, output: [String]) -> Self {
        Self(
            .badInput, code: "codeNotQueried", subject: library.string,
            message: "the declarations in the code of \"\(library)\" cannot be read: \(problem)",
            remedy:
                "correct the plugin: \(PluginEntry.symbol) and the static declarations of its principal object, "
                + "such as its routes or its point, must return at once and do nothing else",
            details: output.map { "it printed: \($0)" })
    }

    /// There are warnings, which were requested to be errors.
    static func warnings(_ folder: FilePath, _ warnings: [String]) -> Self {
        Self(
            .badInput, code: "warnings", subject: folder.string,
            message: "the plugin in \"\(folder)\" is not packed, because --strict treats warnings as errors",
            remedy: "fix the warnings, or omit --strict", details: warnings)
    }
}

/// The expected kind of a file.
enum FileKind: String {
    /// A regular file.
    case file
    /// A folder.
    case folder
}
