extension UsageError {
    /// The report of the error, with the typed word, the accepted words, and the command for help.
    ///
    /// The program ends with ``exitStatus``.
    public var report: FailureReport {
        FailureReport(code: code.rawValue, subject: subject, message: message, remedy: remedy)
    }

    private var line: String { command.joined(separator: " ") }

    private var message: String {
        switch code {
        case .unknownCommand: localized("\(line) has no command \(quoted(subject))")
        case .missingCommand: localized("\(line) needs a command")
        case .unknownOption: localized("\(line) has no option \(quoted(subject))")
        case .missingValue: localized("option \(subject) needs a value")
        case .unexpectedValue: localized("option \(subject) takes no value, but was given \(quoted(value ?? ""))")
        case .invalidValue: localized("\(printable(subject)) cannot be \(quoted(value ?? ""))")
        case .missingArgument: localized("\(line) needs \(subject)")
        case .unexpectedArgument: localized("\(line) takes no further argument, but was given \(quoted(subject))")
        case .repeatedOption: localized("option \(subject) was given twice")
        case .conflictingOptions: localized("options \(subject) and \(list) cannot be used together")
        case .notUTF8: localized("\(line) was given bytes that are not UTF-8: \(quoted(subject))")
        case .currentFolderMissing:
            localized(
                "the current folder no longer exists, or cannot be found, and \(quoted(subject)) is relative to it")
        }
    }

    private var remedy: String {
        let help = "\(line) --help"
        if let nearest { return localized("did you mean \(quoted(nearest))? See \(quoted(help))") }
        switch code {
        case .unknownCommand, .missingCommand:
            return expected.isEmpty
                ? localized("see \(quoted(help))") : localized("use one of \(list); see \(quoted(help))")
        case .missingValue: return localized("write \(list)")
        case .invalidValue: return localized("give \(list)")
        case .unexpectedValue: return localized("write \(subject) alone")
        case .repeatedOption: return localized("give \(subject) once")
        case .conflictingOptions: return localized("give one of them; see \(quoted(help))")
        case .missingArgument:
            let lines = expected.map { quoted("\(line) \($0)") }
            return localized("write \(lines.joined(separator: Localization.current.punctuation.or))")
        case .notUTF8: return localized("give text in UTF-8; a file with such a name must be renamed first")
        case .currentFolderMissing: return localized("change to a folder that exists, or give an absolute path")
        case .unknownOption, .unexpectedArgument: return localized("see \(quoted(help))")
        }
    }

    private var list: String { printable(expected.joined(separator: Localization.current.punctuation.list)) }
}
