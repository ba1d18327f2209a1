extension Command {
    /// Returns the direct subcommand with a name.
    public func subcommand(named name: String) -> Command? {
        subcommands.first { $0.name == name }
    }

    /// Returns the same command with another name and version.
    public func renamed(_ name: String, version: String?) -> Command {
        var command = self
        (command.name, command.version) = (name, version)
        return command
    }

    /// Returns the commands along a path of names, starting with this one; `nil` if a name is unknown.
    func trail(to path: [String]) -> [Command]? {
        var trail = [self]
        for name in path {
            guard let next = trail[trail.count - 1].subcommand(named: name) else { return nil }
            trail.append(next)
        }
        return trail
    }
}

/// The options that are accepted after a list of commands that starts with the root.
struct VisibleOptions {
    let own: [Command.Option]
    /// The options inherited from the parent commands, the root's last, with `--help` and, at the root, `--version`.
    let global: [Command.Option]

    init(_ trail: [Command]) {
        own = trail.last?.options ?? []
        var builtIn = [Command.Option.help]
        if trail.count == 1, trail.first?.version != nil { builtIn.append(.version) }
        global = trail.reversed().flatMap(\.globalOptions) + builtIn
    }

    var all: [Command.Option] { own + global }

    func named(_ name: String) -> Command.Option? { all.first { $0.name == name } }
    func short(_ letter: Character) -> Command.Option? { all.first { $0.short == letter } }
}
