// The texts of help that a declaration leaves to the files of `share/atrium`.
extension Command {
    /// The command with the texts that it and its subcommands lack, in the language of the program.
    ///
    /// A root with a summary has all its texts. Those of any other are in the section with its name. The key is the path of a command below the root, followed by `summary`,
    /// `discussion`, `examples`, `<argument>` or `--option`. Arguments and options that several commands share are described once, with a
    /// shorter path. Each example is a line, followed by two spaces, `#` and the caption if it has one.
    public var described: Command {
        guard summary.isEmpty, let section = LanguageFile.Section(rawValue: name) else { return self }
        return described(in: section, at: [])
    }

    private func described(in section: LanguageFile.Section, at path: [String]) -> Command {
        func text(_ word: String, at path: some Collection<String>) -> String? {
            Localization.current.sentence(section, (path + [word]).joined(separator: " "))
        }
        func nearest(_ own: String, _ word: String) -> String {
            let paths = (0...path.count).reversed().lazy.map { path.prefix($0) }
            return own.isEmpty ? paths.compactMap { text(word, at: $0) }.first ?? "" : own
        }
        var command = self
        if summary.isEmpty { command.summary = text("summary", at: path) ?? "" }
        if discussion.isEmpty { command.discussion = text("discussion", at: path) ?? "" }
        if examples.isEmpty {
            command.examples = text("examples", at: path)?.split(separator: "\n").map { Example(written: $0) } ?? []
        }
        for (index, argument) in arguments.enumerated() {
            command.arguments[index].help = nearest(argument.help, "<\(argument.name)>")
        }
        for (index, option) in options.enumerated() {
            command.options[index].help = nearest(option.help, "--\(option.name)")
        }
        for (index, option) in globalOptions.enumerated() {
            command.globalOptions[index].help = nearest(option.help, "--\(option.name)")
        }
        command.subcommands = subcommands.map { $0.described(in: section, at: path + [$0.name]) }
        return command
    }
}

extension Command.Example {
    /// Creates an example from its line in a file of texts.
    fileprivate init(written text: Substring) {
        let parts = text.split(separator: "  # ", maxSplits: 1).map(String.init)
        self.init(parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
}
