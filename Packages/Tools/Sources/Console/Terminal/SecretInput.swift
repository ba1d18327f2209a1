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
        defer { System.close(terminal) }
        return try line(prompt: prompt, on: terminal)
    }

    /// Asks for a line on an open terminal.
    package static func line(prompt: String, on terminal: Int32) throws(Failure) -> String {
        // The terminal passes each key, so that Control-C is read as a key.
        guard let mode = System.takeKeys(terminal) else { throw .noTerminal }
        let rescue = TerminalRescue(terminal, mode: mode)
        defer {
            System.giveBack(mode, to: terminal)
            rescue.end()
        }
        _ = try? StandardOutput.write(prompt, descriptor: terminal)
        defer { _ = try? StandardOutput.write("\n", descriptor: terminal) }
        var editor = SecretLine()
        while true {
            switch System.key(from: terminal).map({ editor.take($0) }) ?? .ended {
            case .going: continue
            case .ended: return editor.text
            case .canceled: throw .canceled
            }
        }
    }
}
