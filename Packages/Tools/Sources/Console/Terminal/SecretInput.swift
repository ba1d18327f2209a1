/// Reads what must not be seen from the terminal that the program was started in, wherever its streams lead.
public enum SecretInput {
    /// Why nothing was read.
    public enum Failure: Error, Sendable, Equatable {
        /// The program has no terminal.
        case noTerminal
        /// Whoever was asked pressed Control-C, or Control-D on an empty line.
        case cancelled
    }

    /// Asks for a line.
    ///
    /// - Parameter prompt: what stands before the line on the terminal.
    /// - Returns: the line, without what ended it. Nothing of it is shown.
    public static func line(prompt: String) throws(Failure) -> String {
        guard let terminal = System.openTerminal() else { throw .noTerminal }
        defer { System.close(terminal) }
        return try line(prompt: prompt, on: terminal)
    }

    /// The same on a terminal that is open.
    package static func line(prompt: String, on terminal: Int32) throws(Failure) -> String {
        // Key by key, so that Control-C comes here as one of them.
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
            case .cancelled: throw .cancelled
            }
        }
    }
}
