import Console

/// One command of the host: what it is called and what it does.
struct HostCommand: Sendable {
    /// What parsing, help and suggestions are made from.
    let description: Command
    /// Does it; `nil` when it has already said everything.
    let run: @MainActor @Sendable (HostCall) async throws -> Answer?
    /// A Boolean value that indicates whether an argument may be the empty text; elsewhere that is a variable which nobody has set.
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

/// What a command has to say: to people and to scripts.
struct Answer: Sendable {
    let text: String
    let json: JSONText
    /// What the program ends with.
    var status = Console.ExitStatus.done

    /// What goes to standard output.
    func written(asJSON: Bool) -> String {
        asJSON ? json.text(pretty: true) + "\n" : text
    }
}
