import Console
import PluginCore

/// Where the password of a secret key comes from.
enum KeyPassword {
    private static let limit = 1 << 16

    /// The first line of a file.
    static func first(lineOf path: FilePath) throws -> String {
        let bytes = try Files.bytes(
            of: path, limit: limit, remedy: "name the file that holds the key's password in its first line")
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// A new password, asked for twice on the terminal.
    ///
    /// - Parameter ask: shows a prompt and returns the line.
    /// - Throws: ``AtriumError`` with code `keyInvalid` when the two differ, and what `ask` throws.
    static func new(for name: FilePath, _ ask: (_ prompt: String) throws -> String) throws -> String {
        let password = try ask("Password for \(printable(name.string)): ")
        guard !password.isEmpty else {
            throw AtriumError(.keyInvalid, name.string, detail: "an empty password protects nothing")
        }
        guard try ask("The same again: ") == password else {
            throw AtriumError(.keyInvalid, name.string, detail: "the two passwords differ")
        }
        return password
    }
}
