public import Console
public import PluginCore

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
