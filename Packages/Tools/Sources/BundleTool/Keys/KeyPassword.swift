import BundleFormat
import Console
import PluginCore

/// The sources of a secret key's password.
enum KeyPassword {
    /// A function that shows a prompt on the terminal and returns the typed line.
    typealias Asking = (_ prompt: String) throws -> String

    /// The maximum length in bytes.
    static let limit = 1_024
    static let option = Command.Option.value(
        "password-file", placeholder: "file",
        kind: .file,
        help: "A file whose first line is the key's password; - for standard input. By default it is asked for.")

    /// Reads the first line of a file, or of standard input for `-`.
    ///
    /// - Throws: ``CommandError``, and the errors of ``Files``.
    static func first(lineOf path: FilePath) throws -> String {
        let remedy = "specify a file whose first line is the key's password"
        guard let line = try Files.firstLine(of: path, limit: limit, remedy: remedy),
            let password = String(validating: line, as: UTF8.self)
        else { throw CommandError(.badInput, path, reason: "passwordUnreadable", ["limit": .integer(limit)]) }
        return password
    }

    /// Asks once for the password of an existing key.
    ///
    /// - Throws: ``CommandError``, `passwordNeeded` or `passwordRefused`.
    static func existing(of key: FilePath, _ ask: Asking = onTerminal) throws -> String {
        do {
            return try ask("Password for \(printable(key.string)): ")
        } catch SecretInput.Failure.noTerminal {
            throw CommandError(.usage, key, code: "passwordNeeded", reason: "passwordMissing")
        } catch SecretInput.Failure.canceled {
            throw CommandError.passwordRefused(key)
        }
    }

    /// Asks twice for a new password on the terminal.
    ///
    /// - Throws: ``AtriumError`` with code `keyInvalid` if the two differ, `UsageError` without a terminal, or `refusal`.
    static func new(
        for name: FilePath, _ parsed: ParsedCommand, _ ask: Asking = onTerminal,
        orCanceled refusal: @autoclosure () -> any Error
    ) throws -> String {
        do {
            let password = try ask("Password for \(printable(name.string)): ")
            guard !password.isEmpty else { throw AtriumError(.keyInvalid, name.string, reason: "passwordEmpty") }
            guard try ask("Repeat the password: ") == password else {
                throw AtriumError(.keyInvalid, name.string, reason: "passwordsDiffer")
            }
            return password
        } catch SecretInput.Failure.noTerminal {
            throw parsed.missing("--password-file <file>", adding: "--password-file <file>")
        } catch SecretInput.Failure.canceled {
            throw refusal()
        }
    }

    /// Asks on the terminal of this process.
    static func onTerminal(prompt: String) throws -> String { try SecretInput.line(prompt: prompt) }
}
