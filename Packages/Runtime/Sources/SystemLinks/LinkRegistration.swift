import HostSystem
public import PluginCore

/// The registration of a host as the program that opens an app's links, for the current user.
///
/// ```swift
/// let registration = LinkRegistration(
///     name: "hostapp", command: ["/usr/bin/hostapp", "open", "--external"], schemes: ["app"], in: surroundings)
/// try await registration.register()
/// ```
public struct LinkRegistration: Sendable {
    /// The folders and programs of the user.
    public struct Surroundings: Sendable {
        /// The user's data folder, such as `~/.local/share`.
        public var data: FilePath
        /// The user's configuration folder, such as `~/.config`.
        public var configuration: FilePath
        /// The folders of programs, with colons between them.
        public var searchPath: String
        /// The variables for programs that differ from those of this process.
        public var variables: [String: String]

        /// Creates surroundings.
        public init(
            data: FilePath, configuration: FilePath, searchPath: String, variables: [String: String] = [:]
        ) {
            self.data = data
            self.configuration = configuration
            self.searchPath = searchPath
            self.variables = variables
        }
    }

    /// A program of the system that a registration runs.
    public struct Step: Hashable, Sendable {
        /// The program and its arguments.
        public let words: [String]
        /// The package of Debian that contains the program.
        public let package: String
        /// The result.
        public let outcome: Outcome

        /// The result of a program.
        public enum Outcome: Hashable, Sendable {
            /// It succeeded.
            case done
            /// There is no such program.
            case missing
            /// It failed, with its output.
            case failed(String)
        }
    }

    /// The state of a registration.
    public struct Status: Hashable, Sendable {
        /// The desktop file.
        public let file: FilePath
        /// A Boolean value that indicates whether the desktop file is there, as this host writes it.
        public let isCurrent: Bool
        /// A Boolean value that indicates whether a desktop file of a host is there.
        public let isThere: Bool
        /// The desktop file that the system uses for each scheme; `nil` if it has none or xdg-mime is missing.
        public let defaults: [String: String]
    }

    private let entry: DesktopFile
    private let surroundings: Surroundings
    private let fileName: String
    /// The largest size of a file that is read.
    private static let sizeLimit = 1 << 20
    /// The time that a program of the system has, in milliseconds.
    private static let patience: Int32 = 30_000

    /// Creates the registration of a host.
    ///
    /// - Parameters:
    ///   - name: The host's name, which is also that of its desktop file.
    ///   - command: The program with its absolute path, and its arguments before the link.
    ///   - schemes: The schemes of the app's links.
    public init(name: String, command: [String], schemes: [String], in surroundings: Surroundings) {
        entry = DesktopFile(name: name, command: command, schemes: schemes)
        fileName = "\(name).desktop"
        self.surroundings = surroundings
    }

    private var folder: FilePath { surroundings.data.appending("applications") }
    /// The desktop file.
    public var file: FilePath { folder.appending(fileName) }

    /// Writes the desktop file, and makes it the default for the schemes.
    ///
    /// - Throws: ``AtriumError`` with code `desktopFileForeign` if another program's file has that name, or `inputOutput`.
    public func register() async throws(AtriumError) -> [Step] {
        try requireOwnFile()
        try FileSystem.makeFolders(folder)
        // The address of a catalog in the command can contain a password.
        try FileSystem.replace(file, with: Array(entry.text.utf8))
        var steps = [await updateDatabase()]
        for scheme in entry.schemes {
            let words = ["default", fileName, DesktopFile.type(of: scheme)]
            steps.append(await run("xdg-mime", words, of: "xdg-utils").step)
        }
        return steps
    }

    /// Removes the desktop file, and the entries about it in the user's list of defaults.
    ///
    /// - Returns: `nil` if no desktop file was there.
    /// - Throws: as ``register()``.
    public func unregister() async throws(AtriumError) -> [Step]? {
        try requireOwnFile()
        try forgetDefaults()
        guard try content(of: file) != nil else { return nil }
        try FileSystem.remove(file)
        return [await updateDatabase()]
    }

    /// Returns the state.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public func status() async throws(AtriumError) -> Status {
        let content = try content(of: file)
        var defaults: [String: String] = [:]
        for scheme in entry.schemes {
            let answer = await run("xdg-mime", ["query", "default", DesktopFile.type(of: scheme)], of: "xdg-utils")
            let name = answer.output.split(separator: "\n").first.map(String.init)
            if answer.step.outcome == .done, let name { defaults[scheme] = name }
        }
        return Status(
            file: file, isCurrent: content == entry.text, isThere: content.map(Self.isOwn) ?? false, defaults: defaults)
    }

    private static func isOwn(_ content: String) -> Bool {
        content.split(separator: "\n").contains { $0 == DesktopFile.mark }
    }

    private func requireOwnFile() throws(AtriumError) {
        guard let content = try content(of: file), !Self.isOwn(content) else { return }
        throw AtriumError(.desktopFileForeign, file.string)
    }

    private func content(of path: FilePath) throws(AtriumError) -> String? {
        guard try FileSystem.item(at: path) != nil else { return nil }
        return String(decoding: try FileSystem.bytes(of: path, limit: Self.sizeLimit), as: UTF8.self)
    }

    /// Removes the desktop file from the lines about the schemes in the user's list of defaults, which xdg-mime cannot do.
    private func forgetDefaults() throws(AtriumError) {
        let list = surroundings.configuration.appending("mimeapps.list")
        guard case .file = try FileSystem.item(at: list), let content = try content(of: list) else { return }
        let keys = entry.schemes.map { DesktopFile.type(of: $0) + "=" }
        let lines = content.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            guard let key = keys.first(where: { line.hasPrefix($0) }) else { return String(line) }
            let others = line.dropFirst(key.count).split(separator: ";").filter { $0 != fileName }
            return others.isEmpty ? nil : key + others.joined(separator: ";") + ";"
        }
        let text = lines.joined(separator: "\n")
        if text != content { try FileSystem.replace(list, with: Array(text.utf8), mode: 0o644) }
    }

    private func updateDatabase() async -> Step {
        await run("update-desktop-database", [folder.string], of: "desktop-file-utils").step
    }

    private func run(_ name: String, _ arguments: [String], of package: String) async -> (step: Step, output: String) {
        let words = [name] + arguments
        guard let program = DetachedProgram.find(name, on: surroundings.searchPath) else {
            return (Step(words: words, package: package, outcome: .missing), "")
        }
        let result = await DetachedProgram.output(
            of: program, arguments: arguments,
            environment: DetachedProgram.environment(with: surroundings.variables), waiting: Self.patience)
        let isDone = result.end == .exited(status: 0)
        return (Step(words: words, package: package, outcome: isDone ? .done : .failed(result.output)), result.output)
    }
}
