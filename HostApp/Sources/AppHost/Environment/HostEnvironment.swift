import Console
import Glibc
import HostSystem
public import PluginCore
import RemoteCatalog

/// The environment of a process, with its variables, its executable and its working folder.
public struct HostEnvironment: Sendable {
    /// The values of the variables.
    ///
    /// One that is not valid UTF-8 is rejected and not repaired, because repairing could make two different folders the same.
    let bytes: [String: [UInt8]]
    let executable: FilePath
    let workingFolder: [UInt8]?
    /// The user's home folder from the user database, looked up only when needed because the lookup can involve other programs.
    var userHome: @Sendable () -> String? = { nil }
    /// The name of the app's folder in the user's data folder and in `share`.
    var folder = HostConfiguration.standard.folder

    /// The environment of this process.
    public static let current = HostEnvironment(
        bytes: Self.variables(), executable: FileSystem.resolved("/proc/self/exe"),
        workingFolder: CurrentFolder.bytes
    ) { getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } }
}

extension HostEnvironment {

    /// Creates an environment from its parts.
    ///
    /// - Parameters:
    ///   - workingFolder: the folder that relative paths begin in; `nil` if it no longer exists.
    ///   - userHome: the home folder to use if the variable `HOME` names none.
    public init(
        variables: [String: String], executable: FilePath, workingFolder: FilePath?,
        userHome: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        self.init(
            bytes: variables.mapValues { Array($0.utf8) }, executable: executable,
            workingFolder: workingFolder.map { Array($0.string.utf8) }, userHome: userHome)
    }

    /// The app's XDG data folder; `nil` for a user without a home folder.
    ///
    /// This is `$XDG_DATA_HOME/atrium` or else `~/.local/share/atrium` (XDG Base Directory Specification). As the specification
    /// says, a relative `XDG_DATA_HOME` is ignored. No system folder is used instead, because the user may not write to it.
    var data: FilePath? {
        let named = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        return (named ?? home?.appending(".local/share"))?.appending(folder)
    }

    /// The user's home folder.
    private var home: FilePath? {
        let homes = [{ variable("HOME") }, userHome].lazy.compactMap { $0() }
        return homes.first { $0.hasPrefix("/") }.map { FilePath($0) }
    }

    /// Returns a path of a command line that the shell has not yet expanded, with the home folder in place of `~/`.
    func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home else { return path }
        return home.appending(String(path.dropFirst(2))).string
    }

    /// The folders of programs, with colons between them.
    var searchPath: String { variable("PATH") ?? "" }

    /// The variables by which programs of the system find the user's folders and each other.
    var userVariables: [String: String] {
        let names = ["HOME", "PATH", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in variable(name).map { (name, $0) } })
    }

    /// A Boolean value that indicates whether the system has started this process for a link that a host has passed on.
    var isStartedByLink: Bool { variable(SystemOpener.marker) != nil }

    /// Returns the default sandbox; `nil` for a user without a home folder.
    ///
    /// - Throws: `UsageError` with code `notUTF8` if the variable that determines the path is not valid UTF-8.
    func sandbox() throws(UsageError) -> FilePath? {
        for name in ["XDG_DATA_HOME", "HOME"] {
            if try text(bytes[name], named: name)?.hasPrefix("/") == true { break }
        }
        return data?.appending("sandbox")
    }

    /// The default catalog, which is the one in the data folder if it exists, or else the one beside the executable.
    var catalog: FilePath {
        let shipped = prefix.appending("catalog")
        guard let own = data?.appending("catalog") else { return shipped }
        return !exists(own) && exists(shipped) ? shipped : own
    }

    /// The composition file beside the executable, if it exists.
    var composition: FilePath? { shipped("bundle.json") }

    /// The list of published catalogs that ships with the host, with the pinned root of each beside it.
    var catalogs: CatalogSourceFile { CatalogSourceFile(share.appending("catalogs.json")) }

    /// The folder of packages that ship with the host, if it exists.
    var builtIn: FilePath? { shipped("plugins") }

    private func shipped(_ name: String) -> FilePath? {
        let path = share.appending(name)
        return exists(path) ? path : nil
    }

    /// The program beside the executable that runs extensions.
    var extensionRunner: FilePath { executable.parent.appending("extension-runner") }

    /// The file of teams that the host trusts from the start, which may be missing.
    var trust: FilePath { share.appending("trust.json") }

    /// Makes a path from the command line absolute.
    ///
    /// - Throws: `UsageError` for a relative path, with code `notUTF8` if the working folder's name is not valid UTF-8, and
    ///   `currentFolderMissing` if it no longer exists.
    func resolve(_ path: String) throws(UsageError) -> FilePath {
        if path.hasPrefix("/") { return FilePath(path) }
        guard let folder = try text(workingFolder, named: "the working folder") else {
            throw CurrentFolder.missing(path, in: ["hostapp"])
        }
        return FilePath(folder).appending(path)
    }

    private func text(_ bytes: [UInt8]?, named name: String) throws(UsageError) -> String? {
        guard let bytes else { return nil }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw UsageError(.notUTF8, subject: "\(name)=\(escaped(bytes))", command: ["hostapp"])
    }

    /// The user's languages as BCP 47 tags, from the first of the POSIX variables that is set.
    ///
    /// The variables are `LC_ALL`, `LC_MESSAGES` and `LANG`. Unless the locale is C, the list in `LANGUAGE` takes its place.
    var languages: [String] {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = variable(name), !value.isEmpty else { continue }
            let tag = Self.tag(ofLocale: value)
            // As in GNU gettext, LANGUAGE is a list of languages, and has no effect in the locale C.
            let preferred = (variable("LANGUAGE") ?? "").split(separator: ":").map { Self.tag(ofLocale: String($0)) }
            let isPlain = ["C", "POSIX"].contains(value.prefix { $0 != "." })
            return preferred.isEmpty || isPlain ? [tag] : preferred
        }
        return ["en"]
    }

    /// Returns the value of a variable; `nil` for one that is not set or not valid UTF-8.
    func variable(_ name: String) -> String? { bytes[name].flatMap { String(validating: $0, as: UTF8.self) } }

    private var share: FilePath { prefix.appending("share").appending(folder) }
    private var prefix: FilePath { executable.parent.parent }

    private static func variables() -> [String: [UInt8]] {
        let names = [
            "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "PATH", SystemOpener.marker, "LANGUAGE", "LC_ALL",
            "LC_MESSAGES", "LANG", "COLORFGBG",
        ]
        return names.reduce(into: [:]) { values, name in
            values[name] = getenv(name).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    /// Converts a POSIX locale to a BCP 47 tag.
    ///
    /// `zh_CN.UTF-8` becomes `zh-Hans-CN`, `de_DE@euro` becomes `de-DE`, and `C`, `POSIX` and the empty text become `en`. A text
    /// that is already a tag is unchanged. Chinese gets a script, because texts differ by script and not by country (CLDR likely
    /// subtags).
    static func tag(ofLocale locale: String) -> String {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        let subtags = name.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard let language = subtags.first, !["C", "POSIX"].contains(name) else { return "en" }
        let rest = subtags.dropFirst()
        let hasScript = rest.first?.count == 4
        guard language == "zh", !hasScript else { return subtags.joined(separator: "-") }
        let isTraditional = rest.first.map { ["TW", "HK", "MO"].contains($0) } ?? false
        return ([language, isTraditional ? "Hant" : "Hans"] + rest).joined(separator: "-")
    }

    /// Returns the texts in the language that a command line or the environment asks for.
    ///
    /// With `--json`, texts are in English, so that scripts read the same document in every language. The command line may be invalid,
    /// because its error is in that language, too.
    func catalog(forTextsOf arguments: [String]) -> TextCatalog {
        let options = arguments.prefix { $0 != "--" }
        guard !options.contains("--json") else { return .english }
        let name = "--language"
        let joined = options.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        let following = options.lastIndex(of: name).flatMap { options.dropFirst($0 + 1).first }
        let tag = (joined ?? following).map(Self.tag(ofLocale:)) ?? languages.first
        return tag.map(TextCatalog.isSimplifiedChinese) == true ? .simplifiedChinese : .english
    }
}

private func exists(_ path: FilePath) -> Bool { access(path.string, F_OK) == 0 }

/// The input files that are named on the command line.
enum InputFile {
    /// The largest file that is read, in bytes.
    private static let limit = 1 << 28

    /// Returns the contents of a file or a pipe.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` if the file does not exist, or `inputOutput` if it cannot be read.
    static func content(of path: FilePath) throws(AtriumError) -> [UInt8] {
        try NamedFile.bytes(of: path, limit: limit)
    }

    /// Returns whether a path is a folder.
    static func isFolder(_ path: FilePath) -> Bool {
        var status = stat()
        return stat(path.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether this process may write into a folder.
    static func isWritable(_ folder: FilePath) -> Bool { access(folder.string, W_OK) == 0 }

    /// Returns whether a path exists and is not a folder; `true` also if the process may not look.
    static func isThere(_ path: FilePath) -> Bool {
        var status = stat()
        guard stat(path.string, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return status.st_mode & S_IFMT != S_IFDIR
    }
}
