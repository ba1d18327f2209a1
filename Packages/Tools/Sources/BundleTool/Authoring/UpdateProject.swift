import Console
import FoundationEssentials
import HostSystem
import PluginCore

/// The `bundletool update-project` command.
let updateProjectCommand = ProgramCommand(
    "update-project", arguments: [.optional("folder", kind: .folder)]
) { parsed, _ in
    let folder = try CurrentFolder.resolve(parsed.argument("folder") ?? ".", in: ["bundletool", "update-project"])
    let update = try ProjectUpdate(of: folder)
    let results = try update.run()
    let lines = results.map { "\($0.outcome.rawValue): \(printable($0.path))\n" }
    let conflicts = results.count { $0.outcome == .conflict }
    return Answer(
        text: lines.isEmpty ? "The template has not changed.\n" : lines.joined(),
        json: ["files": JSONText.array(results.map { ["path": $0.path, "outcome": $0.outcome.rawValue] })],
        status: conflicts == 0 ? .done : .badInput,
        note: conflicts == 0
            ? "" : "warning: \(conflicts) files have conflicts; edit the lines between <<<<<<< and >>>>>>>\n")
}

/// The content of `.template.json`: the choices with which `bundletool new` has made a folder, and each file as it was written.
struct TemplateRecord: Codable {
    static let fileName = ".template.json"

    var name: String
    var identifier: String
    var kind: String?
    var extensions: [String]?
    var hasInterface: Bool?
    var isModule: Bool?
    /// The plugins of a workspace; `nil` for a plugin.
    var modules: [String]?
    var service: String?
    var files: [String: String]

    /// Returns the record of a plugin.
    init(_ plugin: PluginTemplate, _ files: [(path: String, content: String)]) {
        (name, identifier, kind) = (plugin.name, plugin.identifier.text, plugin.kind.rawValue)
        (hasInterface, isModule) = (plugin.hasInterface, plugin.isModule)
        extensions = plugin.extensions.map(\.rawValue)
        self.files = Dictionary(files.map { ($0.path, $0.content) }) { $1 }
    }

    /// Returns the record of a workspace.
    init(_ workspace: WorkspaceTemplate, _ files: [(path: String, content: String)]) {
        (name, identifier, service) = (workspace.name, workspace.team.text, workspace.service)
        modules = workspace.modules
        self.files = Dictionary(files.map { ($0.path, $0.content) }) { $1 }
    }

    /// Returns the files that the template of this program has for the same choices; `nil` for choices that it does not know.
    func newest() throws -> [(path: String, content: String)]? {
        guard let identifier = BundleIdentifier(identifier) else { return nil }
        if let modules, modules.count > 1 {
            return try WorkspaceTemplate(name: name, team: identifier, modules: modules, service: service).files()
        }
        guard let kind = kind.flatMap({ BundleKind(rawValue: $0) }) else { return nil }
        return try PluginTemplate(
            name: name, identifier: identifier, kind: kind,
            extensions: (extensions ?? []).compactMap { TemplateExtension(rawValue: $0) },
            hasInterface: hasInterface == true,
            isModule: isModule == true
        ).files()
    }

    /// The text of the file, with one line for each file of the project.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

/// The merge of a newer template into a project, which its owner has changed since: a three-way merge of each file by `git merge-file`.
struct ProjectUpdate {
    /// The result for one file.
    enum Outcome: String {
        case added, updated, merged, conflict, kept
    }

    private let folder: FilePath
    private var record: TemplateRecord

    /// Reads what a folder was made from.
    ///
    /// - Throws: ``CommandError`` if that is not known.
    init(of folder: FilePath) throws {
        self.folder = folder
        let file = folder.appending(TemplateRecord.fileName)
        guard file.isFile else { throw CommandError(.notFound, folder, reason: "templateUnknown") }
        do {
            record = try StrictJSON.decode(TemplateRecord.self, from: Files.bytes(of: file, limit: 1 << 24))
        } catch {
            throw CommandError(.badInput, file, reason: "templateUnknown")
        }
    }

    /// Changes the files for which the template has something new, and returns what became of each.
    ///
    /// A file that the owner has removed stays away, and one that the template no longer has stays.
    func run() throws -> [(path: String, outcome: Outcome)] {
        guard let newest = try record.newest() else {
            throw CommandError(.badInput, folder.appending(TemplateRecord.fileName), reason: "templateUnknown")
        }
        var results: [(String, Outcome)] = []
        for (path, new) in newest.sorted(by: { $0.path < $1.path }) where record.files[path] != new {
            let file = folder.appending(path)
            let current = file.isFile ? String(decoding: try Files.bytes(of: file, limit: 1 << 24), as: UTF8.self) : nil
            let outcome: Outcome? =
                switch (record.files[path], current) {
                case (nil, nil): .added
                case (_?, nil): nil
                case (_, new?): nil
                case (nil, _?): .kept
                case (let base?, let current?): current == base ? .updated : try merge(new, base, into: file)
                }
            if outcome == .added || outcome == .updated {
                try Files.makeFolder(file.parent)
                try Files.replace(file, with: new)
                if path.hasPrefix("Scripts/") { try Files.makeExecutable(file) }
            }
            if let outcome { results.append((path, outcome)) }
        }
        var record = record
        record.files = Dictionary(newest.map { ($0.path, $0.content) }) { $1 }
        try Files.replace(folder.appending(TemplateRecord.fileName), with: record.text)
        return results
    }

    private func merge(_ new: String, _ base: String, into file: FilePath) throws -> Outcome {
        let (before, after) = (file.parent.appending(Files.passingName), file.parent.appending(Files.passingName))
        defer { [before, after].forEach(Files.removeTree) }
        try Files.replace(before, with: base)
        try Files.replace(after, with: new)
        let labels = ["yours", "before", "template"].flatMap { ["-L", $0] }
        let words = ["merge-file", "--quiet"] + labels + [file.string, before.string, after.string]
        let status = try InheritingProcess.run("git", words, isQuiet: true)
        guard status < 128 else { throw CommandError.programFailed("git merge-file", status: status) }
        return status == 0 ? .merged : .conflict
    }
}
