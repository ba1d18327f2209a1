#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
internal import Console
public import PluginCore

/// What the process was started with: its variables and where its executable lies.
public struct HostEnvironment: Sendable {
    private let variables: [String: String]
    /// The variables and the working folder that are not UTF-8, with such bytes escaped: repaired, two folders would be one.
    private var malformed: [String: String] = [:]
    /// The app's folder in the user's data folder and in `share`.
    private var folder = HostConfiguration.standard.folder
    private let executable: FilePath
    private let workingFolder: FilePath
    /// The user's home by the system's database of users, which may be asked of other programs and so only when it is needed.
    private let userHome: @Sendable () -> String?

    /// The environment of this process.
    public static let current = HostEnvironment(
        bytes: Self.variables(), executable: Self.executable(), workingFolder: Self.workingFolder(),
        userHome: Self.userHome()
    )

    /// An environment of these parts.
    ///
    /// - Parameter userHome: the home that counts when `HOME` names none.
    public init(
        variables: [String: String], executable: FilePath, workingFolder: FilePath,
        userHome: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        self.userHome = userHome
        self.variables = variables
        self.executable = executable
        self.workingFolder = workingFolder
    }

    /// An environment as the system hands it over.
    init(
        bytes variables: [String: [UInt8]], executable: FilePath, workingFolder: [UInt8],
        userHome: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        let text = variables.compactMapValues { String(validating: $0, as: UTF8.self) }
        let folder = String(validating: workingFolder, as: UTF8.self)
        self.init(
            variables: text, executable: executable, workingFolder: FilePath(folder ?? ""), userHome: userHome())
        malformed = variables.filter { text[$0.key] == nil }.mapValues { escaped($0) }
        if folder == nil { malformed[Self.workingFolderName] = escaped(workingFolder) }
    }

    /// The same for an app whose folders have another name.
    func with(folder: String) -> HostEnvironment {
        var environment = self
        environment.folder = folder
        return environment
    }

    private static let workingFolderName = "the working folder"

    /// The XDG data folder of the app (XDG Base Directory Specification), such as `$XDG_DATA_HOME/atrium`, else
    /// `~/.local/share/atrium`. A relative `XDG_DATA_HOME` is ignored, as the specification says. `nil` for a user who has no
    /// home: what is the system's is not theirs to write to.
    var data: FilePath? {
        if let home = variables["XDG_DATA_HOME"], home.hasPrefix("/") { return FilePath(home).appending(folder) }
        let homes = [{ variables["HOME"] }, userHome].lazy.compactMap { $0() }
        return homes.first { $0.hasPrefix("/") }.map { FilePath($0).appending(".local/share").appending(folder) }
    }

    /// The sandbox when none is given; `nil` for a user who has no home.
    ///
    /// - Throws: `UsageError` with code `notUTF8` for a variable that would name it.
    func sandbox() throws(UsageError) -> FilePath? {
        for name in ["XDG_DATA_HOME", "HOME"] {
            try requireText(name)
            if variables[name]?.hasPrefix("/") == true { break }
        }
        return data?.appending("sandbox")
    }

    /// The catalog when none is given: the one in the data folder if there is one, else the one beside the executable.
    var catalog: FilePath {
        let shipped = prefix.appending("catalog")
        guard let own = data?.appending("catalog") else { return shipped }
        return !Self.exists(own) && Self.exists(shipped) ? shipped : own
    }

    /// The composition beside the executable, if there is one.
    var composition: FilePath? {
        let shipped = share.appending("bundle.json")
        return Self.exists(shipped) ? shipped : nil
    }

    /// The packages that ship with the host, if there are any.
    var builtIn: FilePath? {
        let shipped = share.appending("plugins")
        return Self.exists(shipped) ? shipped : nil
    }

    /// The teams that the host trusts from the start; the file need not be there.
    var trust: FilePath { share.appending("trust.json") }

    /// A path from the command line, made absolute.
    ///
    /// - Throws: `UsageError` with code `notUTF8` for a relative path in a folder whose name is not text.
    func resolve(_ path: String) throws(UsageError) -> FilePath {
        if path.hasPrefix("/") { return FilePath(path) }
        try requireText(Self.workingFolderName)
        return workingFolder.appending(path)
    }

    private func requireText(_ name: String) throws(UsageError) {
        guard let value = malformed[name] else { return }
        throw UsageError(.notUTF8, subject: "\(name)=\(value)", command: ["hostapp"])
    }

    /// The user's languages as BCP 47 tags: `LC_ALL`, `LC_MESSAGES` or `LANG` (POSIX), the first that is set.
    var languages: [String] {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = variables[name], !value.isEmpty else { continue }
            return [Self.tag(ofLocale: value)]
        }
        return ["en"]
    }

    /// What the terminal says of its colours, if it does.
    var terminalColours: String? { variables["COLORFGBG"] }

    private var share: FilePath { prefix.appending("share").appending(folder) }
    private var prefix: FilePath { executable.parent.parent }

    private static func exists(_ path: FilePath) -> Bool {
        access(path.string, F_OK) == 0
    }

    private static func variables() -> [String: [UInt8]] {
        let names = ["HOME", "XDG_DATA_HOME", "LC_ALL", "LC_MESSAGES", "LANG", "COLORFGBG"]
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, bytes(of: $0)) } })
    }

    private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    private static func userHome() -> String? {
        getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) }
    }

    private static func executable() -> FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return FilePath(CommandLine.arguments.first ?? "hostapp") }
        return FilePath(String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    private static func workingFolder() -> [UInt8] {
        guard let folder = getcwd(nil, 0) else { return [UInt8(ascii: "/")] }
        defer { free(folder) }
        return bytes(of: folder)
    }
}
