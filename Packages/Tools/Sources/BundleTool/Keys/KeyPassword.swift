import BundleFormat
public import Console
public import PluginCore

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
    /// - Throws: ``KeyError/passwordUnreadable(_:)``, and the errors of ``Files``.
    static func first(lineOf path: FilePath) throws -> String {
        let remedy = "specify a file whose first line is the key's password"
        guard let line = try Files.firstLine(of: path, limit: limit, remedy: remedy),
            let password = String(validating: line, as: UTF8.self)
        else { throw KeyError.passwordUnreadable(path) }
        return password
    }

    /// Asks once for the password of an existing key.
    ///
    /// - Throws: ``KeyError``, `passwordNeeded` or `passwordRefused`.
    static func existing(of key: FilePath, _ ask: Asking) throws -> String {
        do {
            return try ask("Password for \(printable(key.string)): ")
        } catch SecretInput.Failure.noTerminal {
            throw KeyError.passwordNeeded(key)
        } catch SecretInput.Failure.canceled {
            throw KeyError.passwordRefused(key)
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

/// An error for a secret key that could not be decrypted.
public enum KeyError: Error, Sendable, Equatable {
    /// The key is encrypted, no file with a password was named, and there is no terminal to ask on.
    case passwordNeeded(FilePath)
    /// The password is wrong or the key is damaged, which the encryption does not distinguish.
    case passwordWrong(FilePath)
    /// The user canceled the question for the password.
    case passwordRefused(FilePath)
    /// The password file is not valid text.
    case passwordUnreadable(FilePath)
}

extension KeyError: ReportableError {
    /// The report for people and scripts.
    public var report: FailureReport {
        switch self {
        case .passwordNeeded(let key):
            FailureReport(
                code: "passwordNeeded", subject: key.string,
                message: "the key \"\(key)\" is encrypted, and there is no terminal to ask for its password",
                remedy: """
                    add --password-file with a file whose first line is the password, or "--password-file -" to read \
                    it from standard input
                    """)
        case .passwordWrong(let key):
            FailureReport(
                code: "passwordWrong", subject: key.string, message: "the password of the key \"\(key)\" is wrong",
                remedy:
                    "enter the password that the key was created with; "
                    + "if it is correct, the file is damaged: use a copy")
        case .passwordRefused(let key):
            FailureReport(
                code: "passwordRefused", subject: key.string, message: "no password was given for the key \"\(key)\"",
                remedy: "run the command again and type the password, or specify a file with --password-file")
        case .passwordUnreadable(let file):
            FailureReport(
                code: "passwordUnreadable", subject: file.string,
                message: "the first line of \"\(file)\" is not UTF-8 text of at most \(KeyPassword.limit) bytes",
                remedy: "write the password into its first line")
        }
    }

    /// The exit status of a program that fails with this error.
    ///
    /// It is 77 for a missing or wrong password, 65 for a file that cannot contain a password, and 64 if there is no way to ask.
    public var exitStatus: ExitStatus {
        switch self {
        case .passwordNeeded: .usage
        case .passwordWrong, .passwordRefused: .refused
        case .passwordUnreadable: .badInput
        }
    }
}
