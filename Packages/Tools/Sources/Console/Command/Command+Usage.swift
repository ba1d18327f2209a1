extension Command {
    /// The options that must be there.
    var requiredOptions: [Option] { options.filter { $0.presence == .required } }

    /// The options of which exactly one must be there, a list for each group, in the order of declaration.
    var alternatives: [[Option]] {
        var groups: [(name: String, options: [Option])] = []
        for option in options {
            guard case .oneOf(let name) = option.presence else { continue }
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].options.append(option)
            } else {
                groups.append((name, [option]))
            }
        }
        return groups.map(\.options)
    }

    /// What stands behind the name on the usage line: `<bundle> --key <file>`, `<bundle> (--key <file> | --trust <file>)`.
    var usage: [String] {
        arguments.map(\.usage) + requiredOptions.map(\.usage)
            + alternatives.map { "(" + $0.map(\.usage).joined(separator: " | ") + ")" }
    }

    /// The same as lines that can be typed: one, unless options can stand in for each other.
    var waysToWrite: [String] {
        let fixed = arguments.map(\.usage) + requiredOptions.map(\.usage)
        let ways = alternatives.reduce([fixed]) { ways, group in
            ways.flatMap { way in group.map { way + [$0.usage] } }
        }
        return ways.map { $0.joined(separator: " ") }
    }
}
