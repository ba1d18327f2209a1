import Console
import FoundationEssentials
import LineEditing
import PluginCore

/// The completion of a line of a session: actions of the page and their fields, commands, identifiers, addresses and files.
struct ShellCompletion: Sendable {
    private static let address = Command.Argument.required("URL", kind: .host(.address))

    /// The command line of a session: the host's commands, and those that only a session has.
    private static let root = Command(
        "shell", globalOptions: HostCommands.shellRoot.globalOptions,
        subcommands: HostCommands.inShell.map(\.description) + [
            Command("open", arguments: [address]),
            Command("link", arguments: [address]),
            Command("call", arguments: callCommand.description.arguments),
            Command("keyboard", arguments: [.optional("ID", kind: .either([.host(.extension), .words(["off"])]))]),
        ] + ["back", "page", "pages", "quit", "exit"].map { Command($0) })

    /// The actions of the page.
    let actions: [PageAction]
    let items: HostItems
    let environment: HostEnvironment

    /// Returns what the tab key does for the text before the cursor.
    func change(_ text: String, width: Int) -> LineChange {
        let (before, typed) = Self.split(text)
        let prefix = typed.hasPrefix("\"") ? String(typed.dropFirst()) : typed
        let isQuoted = typed.hasPrefix("\"")
        let choices = candidates(before, prefix).map { candidate -> LineChange.Choice in
            let isWord = !isQuoted && !candidate.text.contains(" ")
            let quoted = "\"" + candidate.text + (candidate.isPart ? "" : "\"")
            return (isWord ? candidate.text : quoted, candidate.label, candidate.isPart)
        }
        return LineChange(choices, for: typed, width: width)
    }

    /// Splits a line at the last space outside quotation marks.
    private static func split(_ text: String) -> (before: String, typed: String) {
        var (start, isQuoted) = (text.startIndex, false)
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index] == " ", !isQuoted { start = text.index(after: index) }
        }
        return (String(text[..<start]), String(text[start...]))
    }

    private func candidates(_ before: String, _ prefix: String) -> [LineChange.Choice] {
        guard let words = try? before.lineWords() else { return [] }
        guard let first = words.first else { return firstWords(prefix) }
        if let action = actions.first(where: { $0.identifier == first }) ?? numbered(first) {
            let filled = words.dropFirst().compactMap { $0.split(separator: "=").first.map(String.init) }
            return action.fields.map(\.name).filter { !filled.contains($0) && $0.hasPrefix(prefix) }
                .map { ($0 + "=", $0, true) }
        }
        let command = first.hasPrefix(".") ? String(first.dropFirst()) : first
        return complete([command] + words.dropFirst(), prefix)
    }

    private func numbered(_ word: String) -> PageAction? {
        Int(word).flatMap { number in actions.indices.contains(number - 1) ? actions[number - 1] : nil }
    }

    private func firstWords(_ prefix: String) -> [LineChange.Choice] {
        // A dot selects a command where the page has an action of its name.
        if prefix.hasPrefix(".") {
            return complete([], String(prefix.dropFirst())).map { (".\($0.text)", ".\($0.label)", $0.isPart) }
        }
        let own = actions.map(\.identifier).filter { $0.hasPrefix(prefix) }.unique
        return own.map { ($0, $0, false) } + complete([], prefix).filter { !own.contains($0.text) }
    }

    private func complete(_ words: [String], _ prefix: String) -> [LineChange.Choice] {
        let completion = CommandCompletion(Self.root) { [items] in items.list($0, $1) }.complete(words, prefix)
        let paths = completion.paths.map { self.paths($0, prefix, after: completion.optionPart) } ?? []
        return completion.candidates.map { ($0.text, $0.text, $0.isPart) } + paths
    }

    /// Returns the files and folders whose paths begin with a text.
    private func paths(_ kind: Completion.Paths, _ prefix: String, after option: String) -> [LineChange.Choice] {
        let path = prefix.dropFirst(option.count)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let name = path[folder.endIndex...]
        guard let place = try? environment.resolve(folder.isEmpty ? "." : environment.expanded(String(folder))),
            let names = try? FileManager.default.contentsOfDirectory(atPath: place.string)
        else { return [] }
        return names.sorted().compactMap { entry in
            guard entry.hasPrefix(name), !entry.hasPrefix(".") || name.hasPrefix(".") else { return nil }
            if InputFile.isFolder(place.appending(entry)) { return ("\(option)\(folder)\(entry)/", "\(entry)/", true) }
            guard case .files(let ending) = kind, entry.hasSuffix(ending) else { return nil }
            return ("\(option)\(folder)\(entry)", entry, false)
        }
    }
}
