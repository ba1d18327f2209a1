import Console
import PluginCore

/// The `bundletool new` command.
enum NewCommand: ProgramCommand {
    static let declaration = Command(
        "new", arguments: [.required("name")],
        options: [
            .value("identifier", short: "i", placeholder: "id"),
            .value("kind", placeholder: "kind", default: "app", kind: .words(BundleKind.allCases.map(\.rawValue))),
            .value(
                "extension", placeholder: "point", repeatable: true,
                kind: .words(TemplateExtension.allCases.map(\.rawValue))),
            .flag("interface"), .value("directory", short: "d", placeholder: "dir", kind: .folder),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let name = parsed.argument("name") ?? ""
        let kind: BundleKind = try parsed.choice("--kind", parsed.value("kind") ?? "app")
        let extensions = try parsed.values("extension").map {
            try parsed.choice("--extension", $0, of: TemplateExtension.self)
        }
        if kind != .app, let point = extensions.first {
            throw parsed.invalid("--extension", point.rawValue, ["only with --kind app"])
        }
        guard Set(extensions).count == extensions.count else {
            throw parsed.invalid("--extension", extensions.map(\.rawValue).joined(separator: ", "), ["each point once"])
        }
        let hasInterface = parsed.flag("interface")
        if hasInterface, kind != .app { throw parsed.invalid("--interface", kind.rawValue, ["only with --kind app"]) }
        guard PluginTemplate.isName(name) else {
            let rule =
                "ASCII letters and digits, starting with a capital letter, such as Hello; no module of Swift or the SDK"
            throw parsed.invalid("<name>", name, [rule])
        }
        guard parsed.value("directory") != "" else { throw parsed.invalid("--directory", "", ["the name of a folder"]) }
        let usual = "com.example.\(name.lowercased())"
        guard let word = parsed.value("identifier") ?? TerminalQuestion.line("Identifier, such as \(usual): ") else {
            throw parsed.missing("--identifier <id>", adding: "--identifier \(usual)")
        }
        guard let identifier = BundleIdentifier(word) else {
            throw parsed.invalid("--identifier", word, ["a reverse-domain name such as com.example.hello"])
        }
        let template = PluginTemplate(
            name: name, identifier: identifier, kind: kind, extensions: extensions, hasInterface: hasInterface)
        let folder = FilePath(parsed.value("directory") ?? name)
        _ = try CurrentFolder.resolve(folder.string, in: ["bundletool", "new"])
        // A new Git repository may be waiting for its first files.
        if Files.kind(of: folder) != nil, !Files.isEmptyFolder(folder, except: [".git"]) {
            throw CommandError(.badInput, folder, reason: "folderUsed")
        }
        let files = try template.files()
        for file in files {
            let path = folder.appending(file.path)
            try Files.makeFolder(path.parent)
            try Files.replace(path, with: file.content)
        }
        let paths = files.map(\.path)
        let isPlain = folder.string.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
        let place = isPlain ? folder.string : "'\(printable(folder.string))'"
        let next = kind == .assets ? "bundletool run \(place)" : "bundletool test \(place)"
        return Answer(
            text: "Created \(identifier) in \(place):\n" + paths.map { "  \($0)\n" }.joined() + "Next: \(next)\n",
            members: ["folder": folder, "identifier": identifier, "files": paths])
    }
}
