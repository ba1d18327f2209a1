/// A yes-or-no question on the controlling terminal.
public enum TerminalQuestion {
    /// The interval in milliseconds at which the caller is asked whether it still waits.
    private static let pause: Int32 = 100

    /// A Boolean value that indicates whether standard input and standard error are terminals.
    public static var isPossible: Bool {
        System.isTerminal(System.standardInput) && System.isTerminal(StandardStream.error.rawValue)
    }

    /// Asks a question and waits for a line, blocking the calling thread.
    ///
    /// - Parameters:
    ///   - question: The question, of one or more lines. Line breaks in untrusted text must be escaped by ``printable(_:)``.
    ///   - isWanted: returns whether the caller still waits for the answer; called repeatedly.
    /// - Returns: `true` if the answer was `y` or `yes`; `false` also without a terminal, at the end of input, and if the caller no
    ///   longer waits.
    public static func confirm(_ question: String, while isWanted: () -> Bool = { true }) -> Bool {
        guard let terminal = System.openTerminal() else { return false }
        defer { System.close(terminal) }
        return confirm(question, on: terminal, while: isWanted)
    }

    /// Asks for a line of text and waits for it, blocking the calling thread.
    ///
    /// - Returns: The line without white space around it; `nil` for an empty one, at the end of input, and without a terminal.
    public static func line(_ question: String) -> String? {
        guard isPossible else { return nil }
        StandardOutput.note(printable(question))
        let words = (readLine() ?? "").split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Asks a question on an open terminal.
    package static func confirm(
        _ question: String, on terminal: Int32, while isWanted: () -> Bool = { true }
    ) -> Bool {
        _ = try? StandardOutput.write(printable(question, keepingLines: true) + " [y/N] ", descriptor: terminal)
        while !System.hasInput(terminal, within: pause) {
            if !isWanted() { return false }
        }
        // In its default mode, a terminal passes whole lines.
        var answer: [UInt8] = []
        while let key = System.key(from: terminal), key != UInt8(ascii: "\n") { answer = answer.suffix(64) + [key] }
        return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
    }
}
