extension UsageError {
    /// The report of the error, with the typed word, the accepted words, and the command for help.
    ///
    /// The program ends with ``ExitStatus/usage``.
    public var report: FailureReport {
        FailureReport(code: code.rawValue, subject: subject, message: message, remedy: remedy)
    }

    private var line: String { command.joined(separator: " ") }

    private var message: String {
        switch code {
        case .unknownCommand: "\(line) has no command \(quoted(subject))"
        case .missingCommand: "\(line) needs a command"
        case .unknownOption: "\(line) has no option \(quoted(subject))"
        case .missingValue: "option \(subject) needs a value"
        case .unexpectedValue: "option \(subject) takes no value, but was given \(quoted(value ?? ""))"
        case .invalidValue: "\(printable(subject)) cannot be \(quoted(value ?? ""))"
        case .missingArgument: "\(line) needs \(subject)"
        case .unexpectedArgument: "\(line) takes no further argument, but was given \(quoted(subject))"
        case .repeatedOption: "option \(subject) was given twice"
        case .conflictingOptions: "options \(subject) and \(list) cannot be used together"
        case .notUTF8: "\(line) was given bytes that are not UTF-8: \(quoted(subject))"
        }
    }

    private var remedy: String {
        let help = "\(line) --help"
        if let nearest { return "did you mean \(quoted(nearest))? See \(quoted(help))" }
        switch code {
        case .unknownCommand, .missingCommand:
            return expected.isEmpty ? "see \(quoted(help))" : "use one of \(list); see \(quoted(help))"
        case .missingValue: return "write \(list)"
        case .invalidValue: return "give \(list)"
        case .unexpectedValue: return "write \(subject) alone"
        case .repeatedOption: return "give \(subject) once"
        case .conflictingOptions: return "give one of them; see \(quoted(help))"
        case .missingArgument:
            return "write " + expected.map { quoted("\(line) \($0)") }.joined(separator: " or ")
        case .notUTF8: return "give text in UTF-8; a file with such a name must be renamed first"
        case .unknownOption, .unexpectedArgument: return "see \(quoted(help))"
        }
    }

    private var list: String { printable(expected.joined(separator: ", ")) }
}
