import Console

/// One command of the host: what it is called and what it does.
struct HostCommand: Sendable {
    /// What parsing, help and suggestions are made from.
    let description: Command
    /// Does it; `nil` when it has already said everything.
    let run: @MainActor @Sendable (HostCall) async throws -> Answer?
}

/// What a command has to say: to people and to scripts.
struct Answer: Sendable {
    let text: String
    let json: JSONText

    /// What goes to standard output.
    func written(asJSON: Bool) -> String {
        asJSON ? json.text(pretty: true) + "\n" : text
    }
}
