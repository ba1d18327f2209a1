extension Command {
    /// The contradictions in this declaration and its subcommands, one sentence each; empty if the declaration is consistent.
    ///
    /// A program's tests check that its root has none, so that the parser need not trap on an inconsistent declaration.
    public var problems: [String] { problems(below: []) }

    private func problems(below ancestors: [Command]) -> [String] {
        let trail = ancestors + [self]
        // Values are stored by their long names, so the options of all parent commands count, even if they are not visible here.
        let long = trail.flatMap { $0.options + $0.globalOptions }.map(\.name) + ["help"]
        let version = ancestors.isEmpty && version != nil ? ["version"] : []
        var found =
            repeats(subcommands.map { "command \"\($0.name)\"" }) + repeats(arguments.map { "argument \"\($0.name)\"" })
            + repeats((long + version).map { "option --\($0)" })
            + repeats(trail.visibleOptions.compactMap(\.short).map { "option -\($0)" })
        if !subcommands.isEmpty && !arguments.isEmpty { found.append("has both commands and arguments") }
        if subcommand(named: "help") != nil { found.append("command \"help\" is built in") }
        for (argument, next) in zip(arguments, arguments.dropFirst()) {
            if argument.isRepeated { found.append("nothing can follow the repeated <\(argument.name)>") }
            if !argument.isRequired && next.isRequired {
                found.append("the required <\(next.name)> follows the optional <\(argument.name)>")
            }
        }
        for option in options where option.presence != .optional && option.defaultValue != nil {
            found.append("--\(option.name) must be given, and has a default")
        }
        for option in globalOptions where option.presence != .optional {
            found.append("--\(option.name) is for all commands, and cannot be required")
        }
        for group in alternatives where group.count == 1 {
            found.append("there is nothing that can stand in for --\(group[0].name)")
        }
        let place = trail.map(\.name).joined(separator: " ")
        return found.map { "\(place): \($0)" } + subcommands.flatMap { $0.problems(below: trail) }
    }

    private func repeats(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }.map { $0 + " is declared twice" }
    }
}
