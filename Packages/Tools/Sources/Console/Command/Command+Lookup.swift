extension Command {
    /// The subcommand of that name, directly below this command.
    public func subcommand(named name: String) -> Command? {
        subcommands.first { $0.name == name }
    }

    /// The commands from this one down a path of names, this one first; nil when a name leads nowhere.
    func trail(to path: [String]) -> [Command]? {
        var trail = [self]
        var current = self
        for name in path {
            guard let next = current.subcommand(named: name) else { return nil }
            trail.append(next)
            current = next
        }
        return trail
    }
}

/// The options that may stand where a trail of commands, root first, has led to.
struct VisibleOptions {
    let own: [Command.Option]
    /// Inherited from the commands above, the root's last; ends with `--help` and, at the root, `--version`.
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
