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
    /// - Throws: ``CommandError/passwordUnreadable(_:)``, and the errors of ``Files``.
    static func first(lineOf path: FilePath) throws -> String {
        let remedy = "specify a file whose first line is the key's password"
        guard let line = try Files.firstLine(of: path, limit: limit, remedy: remedy),
            let password = String(validating: line, as: UTF8.self)
        else { throw CommandError.passwordUnreadable(path) }
        return password
    }

    /// Asks once for the password of an existing key.
    ///
    /// - Throws: ``CommandError``, `passwordNeeded` or `passwordRefused`.
    static func existing(of key: FilePath, _ ask: Asking) throws -> String {
        do {
            return try ask("Password for \(printable(key.string)): ")
        } catch SecretInput.Failure.noTerminal {
            throw CommandError.passwordNeeded(key)
        } catch SecretInput.Failure.canceled {
            throw CommandError.passwordRefused(key)
        }
    }

    /// Asks twice for a new password on the terminal.
    ///
    /// - Throws: ``AtriumError`` with code `keyInvalid` if the two differ, and the errors of `ask`.
    static func new(for name: FilePath, _ ask: Asking) throws -> String {
        let password = try ask("Password for \(printable(name.string)): ")
        guard !password.isEmpty else {
            throw AtriumError(.keyInvalid, name.string, reason: "passwordEmpty")
        }
        guard try ask("Repeat the password: ") == password else {
            throw AtriumError(.keyInvalid, name.string, reason: "passwordsDiffer")
        }
        return password
    }
}

extension CommandError {
    /// The key is encrypted, no file with a password was named, and there is no terminal to ask on.
    static func passwordNeeded(_ key: FilePath) -> Self {
        Self(
            .usage, code: "passwordNeeded", subject: key.string,
            message: "the key \"\(key)\" is encrypted, and there is no terminal to ask for its password",
            remedy: """
                add --password-file with a file whose first line is the password, or "--password-file -" to read \
                it from standard input
                """)
    }

    /// The password is wrong or the key is damaged, which the encryption does not distinguish.
    static func passwordWrong(_ key: FilePath) -> Self {
        Self(
            .refused, code: "passwordWrong", subject: key.string,
            message: "the password of the key \"\(key)\" is wrong",
            remedy:
                "enter the password that the key was created with; "
                + "if it is correct, the file is damaged: use a copy")
    }

    /// The user canceled the question for the password.
    static func passwordRefused(_ key: FilePath) -> Self {
        Self(
            .refused, code: "passwordRefused", subject: key.string,
            message: "no password was given for the key \"\(key)\"",
            remedy: "run the command again and type the password, or specify a file with --password-file")
    }

    /// The password file is not valid text.
    static func passwordUnreadable(_ file: FilePath) -> Self {
        Self(
            .badInput, code: "passwordUnreadable", subject: file.string,
            message: "the first line of \"\(file)\" is not UTF-8 text of at most \(KeyPassword.limit) bytes",
            remedy: "write the password into its first line")
    }
}
