/// A question that is answered with yes or no on the terminal that the program was started in.
public enum TerminalQuestion {
    /// How long a look for an answer takes, in milliseconds, before it is asked whether anybody still wants to know.
    private static let pause: Int32 = 100

    /// A Boolean value that indicates whether somebody can be asked: a person reads standard error, and types on standard input.
    public static var isPossible: Bool {
        System.isTerminal(System.standardInput) && System.isTerminal(StandardStream.error.rawValue)
    }

    /// Asks a question and waits for a line; blocks the calling thread.
    ///
    /// - Parameter isWanted: whether somebody still waits for the answer; asked again and again.
    /// - Returns: whether the answer was `y` or `yes`; `false` without a terminal, at the end of input, and when nobody waits any more.
    public static func confirm(_ question: String, while isWanted: () -> Bool = { true }) -> Bool {
        guard let terminal = System.openTerminal() else { return false }
        defer { System.close(terminal) }
        return confirm(question, on: terminal, while: isWanted)
    }

    /// The same on a terminal that is open.
    package static func confirm(
        _ question: String, on terminal: Int32, while isWanted: () -> Bool = { true }
    ) -> Bool {
        _ = try? StandardOutput.write(printable(question) + " [y/N] ", descriptor: terminal)
        while !System.hasInput(terminal, within: pause) {
            if !isWanted() { return false }
        }
        // A terminal hands over whole lines.
        var answer: [UInt8] = []
        while let key = System.key(from: terminal), key != UInt8(ascii: "\n") { answer = answer.suffix(64) + [key] }
        return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
    }
}
