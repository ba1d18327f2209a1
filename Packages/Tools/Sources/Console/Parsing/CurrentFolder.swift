public import PluginCore

/// The folder against which the system resolves the relative paths of a command line.
public enum CurrentFolder {
    /// The bytes of its path; `nil` if the folder was deleted or cannot be found.
    ///
    /// No other folder takes its place: a guess such as `/` would create files where nobody expects them.
    public static var bytes: [UInt8]? { System.currentFolder() }

    /// Returns the absolute form of a path.
    ///
    /// - Throws: ``UsageError/Code/currentFolderMissing`` for a relative path if the folder is missing.
    public static func resolve(_ path: String, in command: [String]) throws(UsageError) -> FilePath {
        if path.hasPrefix("/") { return FilePath(path) }
        guard let bytes else { throw missing(path, in: command) }
        return FilePath(String(decoding: bytes, as: UTF8.self)).appending(path)
    }

    /// Returns the error for a relative path.
    public static func missing(_ path: String, in command: [String]) -> UsageError {
        UsageError(.currentFolderMissing, subject: path, command: command)
    }
}

extension ParsedCommand {
    /// Checks that the current folder exists if one of the paths in the command line, or a default one, is relative to it.
    ///
    /// - Throws: ``UsageError/Code/currentFolderMissing``.
    public func requireCurrentFolder() throws(UsageError) {
        guard CurrentFolder.bytes == nil else { return }
        let paths =
            command.arguments.filter(\.kind.isPath).flatMap { arguments($0.name) }
            + command.options.filter(\.kind.isPath).flatMap { values($0.name) }
        // A single - is standard input or output, and an address is none of a file.
        if let path = paths.first(where: { !$0.hasPrefix("/") && $0 != "-" && !$0.contains("://") }) {
            throw CurrentFolder.missing(path, in: [program] + self.path)
        }
    }
}
