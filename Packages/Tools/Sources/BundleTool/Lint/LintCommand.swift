import Console
import PluginCore
import PluginLint

/// The `bundletool lint` command.
let lintCommand = ProgramCommand(
    "lint", arguments: [.optional("plugin", kind: .either([.folder, .package]))],
    options: [
        .value("against", kind: .folder), LintSilences.option, .flag("strict"),
        .value("library", short: "l", kind: .library), ConverterOption.declaration, DependencyOption.declaration,
        DependencyOption.hostLibrary, SDKRuns.option,
    ]
) { parsed, terminal in
    let path = FilePath(parsed.argument("plugin") ?? ".")
    let isFolder = path.isFolder
    let against = parsed.file("against")
    let given = parsed.files("dependency")
    let project = PluginProject(folder: try CurrentFolder.resolve(path.string, in: ["bundletool", "lint"]))
    let (library, deprecated) = isFolder ? try library(parsed, path) : (nil, [])
    let packer = try Packer(
        folder: path, library: library, converters: ConverterOption.names(in: parsed),
        dependencies: isFolder ? project.packages(besides: given) : given, hostLibraries: parsed.files("host-library"))
    let request = LintRequest(packer: packer, published: try against.map(PublishedPackages.at))
    let silences = try LintSilences(in: parsed, of: isFolder ? path : nil)
    var subject = try request.subject()
    subject.deprecated = deprecated
    let report = LintReport(of: subject, allowing: silences)
    let isRefused = report.errors > 0 || parsed.flag("strict") && report.warnings > 0
    let notes = notes(about: subject, against: against)
    let name = subject.manifest?.identity.description ?? path.string
    let lines = notes.map { "note: \(printable($0))\n" }.joined()
    return Answer(
        text: report.text(for: terminal) + lines + "\(printable(name)): \(report.counts)\n",
        json: JSONText([
            "identifier": subject.manifest?.identity.identifier, "version": subject.manifest?.identity.version,
            "comparedWith": subject.published?.manifest.identity.version,
        ]) + report.json + ["notes": notes], status: isRefused ? .badInput : .done)
}

/// Returns the built library of a folder, and what its code uses that is deprecated.
private func library(
    _ parsed: ParsedCommand, _ folder: FilePath
) throws -> (library: FilePath?, deprecated: [LintRule.Problem]) {
    if let library = parsed.file("library") { return (library, []) }
    let project = try PluginProject.at(folder.string)
    return project.hasPackage ? try project.buildFindingDeprecated() : (nil, [])
}

/// Returns what was not checked, and why.
private func notes(about subject: LintSubject, against: FilePath?) -> [String] {
    func note(_ name: String) -> [String] {
        let version = subject.published?.manifest.identity.version.description ?? ""
        return [TextCatalog.authorText("lint", "note " + name).replacing("{version}", with: version)]
    }
    guard let manifest = subject.manifest else { return note("unpacked") }
    guard against != nil else { return note("alone") }
    guard let published = subject.published else { return note("first") }
    switch manifest.kind {
    case .app where subject.inputs == nil || published.inputs == nil: return note("code")
    case .lib where published.symbols == nil: return note("names")
    default: return []
    }
}

extension LintSilences {
    /// The option that silences a code.
    static let option = Command.Option.value("allow", placeholder: "code", repeatable: true)

    /// Creates the codes that `lint.json` and the command line silence.
    ///
    /// - Parameter folder: the plugin's folder, or `nil` for a package.
    init(in parsed: ParsedCommand, of folder: FilePath?) throws {
        self.init()
        if let file = folder?.appending(Self.fileName), file.exists {
            self = try Self(Files.bytes(of: file, limit: Self.sizeLimit, remedy: "lintFile"), of: file)
        }
        for code in parsed.values(Self.option.name) {
            guard LintRule.named(code) != nil else {
                let nearest = Nearest.words(to: code, in: LintRule.all.map(\.code))
                throw parsed.invalid("--allow", code, nearest: nearest.first)
            }
            allow(code)
        }
    }
}
