import Console
import PluginCore
import PluginLint

/// The `bundletool lint` command.
enum LintCommand: ProgramCommand {
    static let declaration = Command(
        "lint", summary: "Find problems of a plugin before it is published.",
        discussion: """
            Packs the plugin of a folder as "bundletool pack" does, without writing a package, and checks it: manifest, texts in all \
            languages, layouts and their links, routes, libraries and sizes. Some rules need the sources, which a package \
            does not contain. Code of the plugin runs for it, with your rights, as it does for "bundletool pack"; that of a package \
            does not run without --against.

            With --against, compares it with its last release in a catalog. Routes, actions, services, extension points and \
            exported names that are missing, and new required parameters, break other plugins, so they need \
            a new major version. The plugins of the catalog that would break are named. For the parameters, the code of both versions is \
            loaded in a process of its own, as by "bundletool pack". Libraries that the plugin links are taken from the catalog.

            Each finding has a code. The file lint.json in the plugin's folder silences codes, each with the reason: \
            {"allow": {"icon-missing": "Our catalog shows no icons."}}. Documentation/Lint.md lists the codes.

            Exits with 65 if there is an error, and with --strict also if there is a warning.
            """,
        arguments: [
            .optional(
                "plugin", kind: .either([.folder, .file(ending: ".zip")]),
                help: "The plugin's folder, by default the working folder; or a package.")
        ],
        options: [
            .value(
                "against", placeholder: "dir",
                kind: .folder,
                help: "The catalog to compare with: the folder of \"bundletool publish\", or one with packages."),
            allow("Silence a code, such as icon-missing."),
            .flag("strict", help: "Treat warnings as errors."),
            .value(
                "library", short: "l", placeholder: "file",
                kind: .file(ending: ".so"),
                help:
                    "The plugin's built library; by default, a folder with Package.swift is built in release configuration."
            ),
            ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary,
        ],
        examples: [
            .init("bundletool lint"), .init("bundletool lint Hello --against site --strict"),
            .init("bundletool lint com.example.app.shop-1.1.0.zip --allow icon-missing"),
        ])

    /// Returns the option that silences a code.
    static func allow(_ help: String) -> Command.Option {
        .value("allow", placeholder: "code", repeatable: true, help: help)
    }

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
