extension Command {
    /// The required options.
    var requiredOptions: [Option] { options.filter { $0.presence == .required } }

    /// The groups of options of which exactly one is required, in the order of declaration.
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

    /// The required words after the name in the usage line.
    ///
    /// For example `<bundle> --key <file>` or `<bundle> (--key <file> | --trust <file>)`.
    var usage: [String] {
        arguments.map(\.usage) + requiredOptions.map(\.usage)
            + alternatives.map { "(" + $0.map(\.usage).joined(separator: " | ") + ")" }
    }

    /// The minimal valid command lines, more than one if there are groups of alternative options.
    var waysToWrite: [String] {
        let fixed = arguments.map(\.usage) + requiredOptions.map(\.usage)
        let ways = alternatives.reduce([fixed]) { ways, group in
            ways.flatMap { way in group.map { way + [$0.usage] } }
        }
        return ways.map { $0.joined(separator: " ") }
    }
}

extension Command {
    /// Returns the help of an option with the rules for its use.
    func fullHelp(of option: Option) -> String {
        var help = localized(key: option.help)
        if option.isRepeatable { help += localized(" May be repeated.") }
        if option.presence == .required { help += localized(" Required.") }
        if let group = alternatives.first(where: { $0.contains(option) }) {
            let others = group.filter { $0 != option }.map { "--\($0.name)" }
                .joined(separator: Localization.current.punctuation.or)
            help += localized(" Either this or \(others) is required.")
        }
        if let value = option.defaultValue { help += localized(" Default: \(value)") }
        return help
    }
}

extension Command.Argument {
    /// The help with the rule for the argument's use.
    var fullHelp: String { localized(key: help) + (arity == .optional ? localized(" Optional.") : "") }
}
