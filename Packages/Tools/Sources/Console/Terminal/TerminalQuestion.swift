import Glibc

/// A yes-or-no question on the controlling terminal.
public enum TerminalQuestion {
    /// The interval in milliseconds at which something else than input is looked for.
    fileprivate static let pause: Int32 = 100

    /// A Boolean value that indicates whether standard input and standard error are terminals.
    public static var isPossible: Bool {
        System.isTerminal(STDIN_FILENO) && System.isTerminal(StandardStream.error.rawValue)
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
        defer { close(terminal) }
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

/// Reads a secret from the controlling terminal without showing it, even if standard streams are redirected.
public enum SecretInput {
    /// The reason for which nothing was read.
    public enum Failure: Error, Sendable, Equatable {
        /// The program has no terminal.
        case noTerminal
        /// The user pressed Control-C, or Control-D on an empty line.
        case canceled
    }

    /// Asks for a line.
    ///
    /// - Parameter prompt: the text before the input.
    /// - Returns: the line without its line break.
    public static func line(prompt: String) throws(Failure) -> String {
        guard let terminal = System.openTerminal() else { throw .noTerminal }
        defer { close(terminal) }
        return try line(prompt: prompt, on: terminal)
    }

    /// Asks for a line on an open terminal.
    package static func line(prompt: String, on terminal: Int32) throws(Failure) -> String {
        // The terminal passes each key, so that Control-C is read as a key.
        guard let mode = System.takeKeys(terminal) else { throw .noTerminal }
        let signals = HeldSignals()
        defer {
            System.giveBack(mode, to: terminal)
            signals.release()
        }
        _ = try? StandardOutput.write(prompt, descriptor: terminal)
        defer { _ = try? StandardOutput.write("\n", descriptor: terminal) }
        var editor = SecretLine()
        while true {
            while !System.hasInput(terminal, within: TerminalQuestion.pause) {
                if signals.isOneWaiting { throw .canceled }
            }
            switch System.key(from: terminal).map({ editor.take($0) }) ?? .ended {
            case .going: continue
            case .ended: return editor.text
            case .canceled: throw .canceled
            }
        }
    }
}

/// A line that is typed key by key, including the keys that edit it.
struct SecretLine {
    enum State: Equatable {
        case going
        case ended
        case canceled
    }

    /// The maximum length of a password in bytes.
    private static let limit = 1_024

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func take(_ key: UInt8) -> State {
        switch key {
        case 0x0a, 0x0d: return .ended
        // Control-C, and Control-\ which would otherwise end the program with another signal.
        case 0x03, 0x1c: return .canceled
        case 0x04: return bytes.isEmpty ? .canceled : .ended
        case 0x15: bytes = []
        case 0x7f, 0x08:
            // In UTF-8, all bytes of a character except the first start with the bits 10.
            while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
        default: if bytes.count < Self.limit { bytes.append(key) }
        }
        return .going
    }
}
