public import Console
public import PluginCore

/// Why a secret key stays closed, though its file may be sound.
public enum KeyError: Error, Sendable, Equatable {
    /// The key is encrypted, no file with a password was named, and there is no terminal to ask on.
    case passwordNeeded(FilePath)
    /// The password is not the key's; or the key is damaged, which what is encrypted does not tell apart.
    case passwordWrong(FilePath)
    /// Whoever was asked for the password gave none.
    case passwordRefused(FilePath)
    /// What was given as password is no text.
    case passwordUnreadable(FilePath)
}

extension KeyError: ReportableError {
    /// The failure in words.
    public var report: FailureReport {
        switch self {
        case .passwordNeeded(let key):
            FailureReport(
                code: "passwordNeeded", subject: key.string,
                message: "the key \"\(key)\" is encrypted, and there is no terminal to ask for its password on",
                remedy: """
                    add --password-file with a file whose first line is the password, or "--password-file -" to have it read \
                    from standard input
                    """)
        case .passwordWrong(let key):
            FailureReport(
                code: "passwordWrong", subject: key.string, message: "the password does not open the key \"\(key)\"",
                remedy:
                    "give the password that the key was made with; if it is that one, the file is damaged: use a copy")
        case .passwordRefused(let key):
            FailureReport(
                code: "passwordRefused", subject: key.string, message: "no password was given for the key \"\(key)\"",
                remedy: "run it again and type the password, or name a file with --password-file")
        case .passwordUnreadable(let file):
            FailureReport(
                code: "passwordUnreadable", subject: file.string,
                message: "the first line of \"\(file)\" is no text in UTF-8 of at most \(KeyPassword.limit) bytes",
                remedy: "write the password into its first line")
        }
    }

    /// 77 where a password was called for and the right one did not come, 65 for a file that can hold none, 64 for a line that leaves
    /// no way to ask.
    public var exitStatus: ExitStatus {
        switch self {
        case .passwordNeeded: .usage
        case .passwordWrong, .passwordRefused: .refused
        case .passwordUnreadable: .badInput
        }
    }
}
