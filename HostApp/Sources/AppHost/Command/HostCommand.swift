import Console

/// A command of the host, made of its description and its implementation.
struct HostCommand: Sendable {
    /// The description that parsing, help and suggestions are derived from.
    let description: Command
    /// Runs the command; returns `nil` if it has already written its output.
    let run: @MainActor @Sendable (HostCall) async throws -> Answer?
    /// A Boolean value that indicates whether an argument may be empty; elsewhere an empty argument is taken for an unset variable.
    let takesEmptyArguments: Bool

    init(
        description: Command, takesEmptyArguments: Bool = false,
        run: @escaping @MainActor @Sendable (HostCall) async throws -> Answer?
    ) {
        self.description = description
        self.takesEmptyArguments = takesEmptyArguments
        self.run = run
    }
}

/// The result of a command, as text and as JSON.
struct Answer: Sendable {
    let text: String
    let json: JSONText
    /// The exit status of the program.
    var status = Console.ExitStatus.done

    /// Returns the text for standard output.
    func written(asJSON: Bool) -> String {
        asJSON ? json.text(pretty: true) + "\n" : text
    }
}
