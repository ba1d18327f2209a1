import Console
import PluginCore
import PluginLint

/// The `bundletool lint` command.
enum LintCommand: ProgramCommand {
    static let declaration = Command(
        "lint", arguments: [.optional("plugin", kind: .either([.folder, .file(ending: ".zip")]))],
        options: [
            .value("against", placeholder: "dir", kind: .folder), allow,
            .flag("strict"), .value("library", short: "l", placeholder: "file", kind: .file(ending: ".so")),
            ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary,
        ])

    /// The option that silences a code.
    static let allow = Command.Option.value("allow", placeholder: "code", repeatable: true)

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let path = FilePath(parsed.argument("plugin") ?? ".")
        let isFolder = Files.kind(of: path) == .folder
        let against = parsed.file("against")
        let packer = Packer(
            folder: path, library: isFolder ? try library(parsed, path) : nil,
            converters: try ConverterOption.names(in: parsed), dependencies: parsed.files("dependency"),
            hostLibraries: parsed.files("host-library"))
        let request = LintRequest(packer: packer, published: try against.map(PublishedPackages.at))
        let silences = try silences(in: parsed, of: isFolder ? path : nil)
        let subject = try request.subject()
        let report = LintReport(of: subject, allowing: silences)
        let isRefused = report.errors > 0 || parsed.flag("strict") && report.warnings > 0
        let status: ExitStatus = isRefused ? .badInput : .done
        let notes = notes(about: subject, against: against)
        let name = subject.manifest?.identity.description ?? path.string
        let lines = notes.map { "note: \(printable($0))\n" }.joined()
        return Answer(
            text: report.text(for: terminal) + lines + "\(printable(name)): \(report.counts)\n",
            json: JSONText([
                "identifier": subject.manifest?.identity.identifier, "version": subject.manifest?.identity.version,
                "comparedWith": subject.published?.manifest.identity.version,
            ]) + report.json + JSONText(["notes": notes]), status: status)
    }

    /// Returns the built library of a folder.
    private static func library(_ parsed: ParsedCommand, _ folder: FilePath) throws -> FilePath? {
        if let library = parsed.value("library") { return FilePath(library) }
        let project = try PluginProject.at(folder.string)
        return project.hasPackage ? try project.build(.release, isQuiet: true) : nil
    }

    /// Returns the codes that `lint.json` and the command line silence.
    ///
    /// - Parameter folder: the plugin's folder, or `nil` for a package.
    static func silences(in parsed: ParsedCommand, of folder: FilePath?) throws -> LintSilences {
        var silences = LintSilences()
        if let file = folder?.appending(LintSilences.fileName), Files.kind(of: file) != nil {
            silences = try LintSilences(
                Files.bytes(of: file, limit: LintSilences.sizeLimit, remedy: "make it a regular file"), of: file)
        }
        for code in parsed.values("allow") {
            guard LintRule.named(code) != nil else {
                let nearest = Nearest.words(to: code, in: LintRule.all.map(\.code))
                throw parsed.invalid("--allow", code, ["a code of Documentation/Lint.md"], nearest: nearest.first)
            }
            silences.allow(code)
        }
        return silences
    }

    /// Returns what was not checked, and why.
    private static func notes(about subject: LintSubject, against: FilePath?) -> [String] {
        guard let manifest = subject.manifest else {
            return ["further rules are checked when the plugin can be packed"]
        }
        guard against != nil else { return ["not compared with a published version; see --against"] }
        guard let published = subject.published else { return ["no release before this version is published"] }
        let version = published.manifest.identity.version
        switch manifest.kind {
        case .app where subject.inputs == nil || published.inputs == nil:
            return [
                "parameters, results and events were not compared, because the code of \(version) or of this version cannot be loaded"
            ]
        case .lib where published.symbols == nil:
            return ["the exported names were not compared, because the library of \(version) cannot be read"]
        default: return []
        }
    }
}
