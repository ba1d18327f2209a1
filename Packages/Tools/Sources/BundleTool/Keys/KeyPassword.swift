import Console
import PluginCore

/// Where the password of a secret key comes from.
enum KeyPassword {
    /// Shows a prompt on the terminal and returns the line that is typed.
    typealias Asking = (_ prompt: String) throws -> String

    /// In bytes; more is nobody's password.
    static let limit = 1_024
    static let option = Command.Option.value(
        "password-file", placeholder: "file",
        help: "A file whose first line is the key's password; - for standard input. By default it is asked for.")

    /// The first line of a file, or of standard input for `-`.
    ///
    /// - Throws: ``KeyError/passwordUnreadable(_:)``, and what ``Files`` throws.
    static func first(lineOf path: FilePath) throws -> String {
        let remedy = "name the file that holds the key's password in its first line"
        guard let line = try Files.firstLine(of: path, limit: limit, remedy: remedy),
            let password = String(validating: line, as: UTF8.self)
        else { throw KeyError.passwordUnreadable(path) }
        return password
    }

    /// The password of a key that is there, asked for once.
    ///
    /// - Throws: ``KeyError``, `passwordNeeded` or `passwordRefused`.
    static func existing(of key: FilePath, _ ask: Asking) throws -> String {
        do {
            return try ask("Password for \(printable(key.string)): ")
        } catch SecretInput.Failure.noTerminal {
            throw KeyError.passwordNeeded(key)
        } catch SecretInput.Failure.cancelled {
            throw KeyError.passwordRefused(key)
        }
    }

    /// A new password, asked for twice on the terminal.
    ///
    /// - Throws: ``AtriumError`` with code `keyInvalid` when the two differ, and what `ask` throws.
    static func new(for name: FilePath, _ ask: Asking) throws -> String {
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
