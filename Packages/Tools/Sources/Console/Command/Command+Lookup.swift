extension Command {
    /// Returns the direct subcommand with a name.
    func subcommand(named name: String) -> Command? {
        subcommands.first { $0.name == name }
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

extension [Command] {
    /// The options that are accepted after these commands, the first of which is the root.
    var visibleOptions: [Command.Option] { (last?.options ?? []) + inheritedOptions }

    /// The options of the parent commands, the root's last, with `--help` and, at the root, `--version`.
    var inheritedOptions: [Command.Option] {
        let hasVersion = count == 1 && first?.version != nil
        return reversed().flatMap(\.globalOptions) + [.help] + (hasVersion ? [.version] : [])
    }
}
