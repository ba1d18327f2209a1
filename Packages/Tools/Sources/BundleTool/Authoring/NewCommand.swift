import Console
import HostSystem
import PluginCore

/// The `bundletool new` command.
let newCommand = ProgramCommand(
    "new", arguments: [.required("name")],
    options: [
        .value("identifier", short: "i", placeholder: "id"),
        .value("kind", placeholder: "kind", default: "app", kind: .words(BundleKind.allCases.map(\.rawValue))),
        .value(
            "extension", placeholder: "point", repeatable: true,
            kind: .words(TemplateExtension.allCases.map(\.rawValue))),
        .flag("interface"), .flag("workspace"), .value("modules", placeholder: "name,name", default: "Home,Account"),
        .value("ci", placeholder: "service", kind: .words(WorkspaceTemplate.services)),
        .value("directory", short: "d", kind: .folder),
    ]
) { parsed, _ in
    let name = parsed.argument("name") ?? ""
    guard PluginTemplate.isName(name) else { throw parsed.invalid("<name>", name) }
    guard parsed.value("directory") != "" else { throw parsed.invalid("--directory", "") }
    if parsed.flag("workspace") { return try newWorkspace(name, parsed) }
    for option in ["modules", "ci"] where parsed.count(option) > 0 {
        throw parsed.missing("--workspace", adding: "--workspace")
    }
    let kind: BundleKind = try parsed.choice("--kind", parsed.value("kind") ?? "app")
    let extensions: [TemplateExtension] = try parsed.values("extension").map { try parsed.choice("--extension", $0) }
    if kind != .app, let point = extensions.first { throw parsed.invalid("--extension", point.rawValue) }
    guard Set(extensions).count == extensions.count else {
        throw parsed.invalid("--extension", extensions.map(\.rawValue).joined(separator: ", "), ["each point once"])
    }
    if parsed.flag("interface"), kind != .app { throw parsed.invalid("--interface", kind.rawValue) }
    // A workspace gets another module, unless it is to be somewhere else.
    let workspace = parsed.value("directory") == nil ? try Workspace.around(".") : nil
    let identifier = try parsed.identifier(
        usual: "\(try workspace?.team() ?? "com.example").\(name.lowercased())", isUsed: workspace != nil)
    let template = PluginTemplate(
        name: name, identifier: identifier, kind: kind, extensions: extensions,
        hasInterface: parsed.flag("interface") || workspace != nil && kind == .app, isModule: workspace != nil)
    let folder = workspace?.plugins.appending(name) ?? FilePath(parsed.value("directory") ?? name)
    let files = try template.files()
    let paths = try write(files + [(TemplateRecord.fileName, TemplateRecord(template, files).text)], to: folder)
    try workspace?.add(template)
    return created(identifier, in: folder, paths, next: kind == .assets ? "run" : "test")
}

/// Creates an app with its host and its plugins.
private func newWorkspace(_ name: String, _ parsed: ParsedCommand) throws -> Answer {
    for option in ["kind", "extension", "interface"] where parsed.count(option) > 0 {
        throw parsed.conflict("workspace", option)
    }
    let modules = (parsed.value("modules") ?? "").split(separator: ",").map(String.init)
    guard modules.count > 1, modules.allSatisfy(PluginTemplate.isName),
        !modules.contains(name)
    else { throw parsed.invalid("--modules", parsed.value("modules") ?? "") }
    let team = try parsed.identifier(usual: "com.\(name.lowercased())", isUsed: false)
    let service: String? = try parsed.value("ci").map { service in
        guard WorkspaceTemplate.services.contains(service) else { throw parsed.invalid("--ci", service) }
        return service
    }
    let template = WorkspaceTemplate(name: name, team: team, modules: modules, service: service)
    let folder = FilePath(parsed.value("directory") ?? name)
    guard modules.allSatisfy({ template.identifier(of: $0) != nil && $0 != name + "Kit" }),
        Set(modules.map { $0.lowercased() }).count == modules.count
    else { throw parsed.invalid("--modules", modules.joined(separator: ",")) }
    let files = try template.files()
    let paths = try write(files + [(TemplateRecord.fileName, TemplateRecord(template, files).text)], to: folder)
    for path in paths where path.hasPrefix("Scripts/") { try Files.makeExecutable(folder.appending(path)) }
    return created(team, in: folder, paths, next: "test")
}

/// Writes files to a folder that is empty or not yet there, and returns their paths.
private func write(_ files: [(path: String, content: String)], to folder: FilePath) throws -> [String] {
    _ = try CurrentFolder.resolve(folder.string, in: ["bundletool", "new"])
    // A new Git repository may be waiting for its first files.
    if folder.exists, !Files.isEmptyFolder(folder, except: [".git"]) {
        throw CommandError(.badInput, folder, reason: "folderUsed")
    }
    for (path, content) in files {
        let file = folder.appending(path)
        try Files.makeFolder(file.parent)
        try Files.replace(file, with: content)
    }
    return files.map(\.path)
}

private func created(
    _ identifier: BundleIdentifier, in folder: FilePath, _ paths: [String], next: String
) -> Answer {
    let isPlain = folder.string.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
    let place = isPlain ? folder.string : "'\(printable(folder))'"
    let lines = paths.map { "  \($0)\n" }.joined()
    return Answer(
        text: "Created \(identifier) in \(place):\n\(lines)Next: bundletool \(next) \(place)\n",
        json: ["folder": folder, "identifier": identifier, "files": paths])
}

extension ParsedCommand {
    /// Returns the identifier of what is created, and asks for it on a terminal unless the usual one can be used.
    fileprivate func identifier(usual: String, isUsed: Bool) throws -> BundleIdentifier {
        let word = value("identifier") ?? (isUsed ? usual : TerminalQuestion.line("Identifier, such as \(usual): "))
        guard let word else { throw missing("--identifier <id>", adding: "--identifier \(usual)") }
        guard let identifier = BundleIdentifier(word) else { throw invalid("--identifier", word) }
        return identifier
    }
}
