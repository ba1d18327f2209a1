import Glibc
public import PluginCore

/// The arguments that a process was started with.
///
/// Linux passes arguments as bytes, and `CommandLine.arguments` repairs those that are not valid UTF-8. Two different file names
/// could thereby become equal.
///
/// ```swift
/// let arguments = ProgramArguments.current
/// if let error = arguments.error { throw error }
/// let parsed = try CommandLineParser(root).parse(arguments.words)
/// ```
public struct ProgramArguments: Sendable {
    /// The arguments after the program's name, which are exact only if there is no error.
    public let words: [String]
    /// The usage error for the first argument that is not valid UTF-8.
    public let error: UsageError?

    /// The arguments of this process.
    public static let current = ProgramArguments(
        bytes: (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        })

    /// Decodes arguments as the system passes them, starting with the program's name.
    package init(bytes: [[UInt8]]) {
        let program = String(decoding: bytes.first ?? [], as: UTF8.self)
        let arguments = bytes.dropFirst()
        words = arguments.map { String(decoding: $0, as: UTF8.self) }
        error = arguments.first { String(validating: $0, as: UTF8.self) == nil }.map { bytes in
            UsageError(
                .notUTF8, subject: escaped(bytes), command: [String(program.split(separator: "/").last ?? "")])
        }
    }
}

/// Decodes bytes for a message, with invalid UTF-8 written as `\xFF`.
public func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var (result, rest) = ("", Array(bytes)[...])
    while let byte = rest.first {
        let scalar = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
        result += scalar ?? "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        rest = rest.dropFirst(scalar?.utf8.count ?? 1)
    }
    return result
}

/// The folder against which the system resolves the relative paths of a command line.
public enum CurrentFolder {
    /// The bytes of its path; `nil` if the folder was deleted or cannot be found.
    ///
    /// No other folder takes its place: a guess such as `/` would create files where nobody expects them.
    public static var bytes: [UInt8]? {
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder)))
    }

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
            throw CurrentFolder.missing(path, in: names)
        }
    }
}
