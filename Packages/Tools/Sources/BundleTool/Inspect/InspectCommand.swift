import Authoring
import Console
import PluginCore
import Preflight

/// The `bundletool inspect` command.
enum InspectCommand: ProgramCommand {
    static let declaration = Command(
        "inspect", summary: "Show what is in a package.",
        discussion: """
            Unpacks nothing and runs no code. For a library, shows what its file declares, and whether a host of this \
            release would install it, with the host's own messages. Of a package for several platforms, shows the architectures \
            of all libraries, and which platforms a part of it leaves out.

            Exits with 0 if the package can be read, even if its library is not usable, and with 77 if it declares an \
            app group of another team.
            """,
        arguments: [.required("package.zip", kind: .file(ending: ".zip"), help: "The package.")],
        options: [ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary],
        examples: [
            .init("bundletool inspect catalog/com.example.app.shop-1.1.0.zip"),
            .init(
                "bundletool inspect catalog/com.example.app.shop-1.1.0.zip -d catalog/com.example.lib.money-1.0.0.zip",
                "A package that is linked with the library of another bundle:"),
            .init("bundletool --json inspect com.example.app.shop-1.1.0.zip", "For a script:"),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let inspection = try PackageInspection(
            of: parsed.file(argument: "package.zip"), converters: try ConverterOption.names(in: parsed),
            dependencies: parsed.files("dependency"),
            hostLibraries: parsed.files("host-library"))
        return Answer(
            text: inspection.text(for: terminal), json: inspection.json,
            status: inspection.groupRefusal?.exitStatus ?? .done)
    }
}

extension PackageInspection {
    private static func json(of library: LibraryReport) -> JSONText {
        let facts = library.facts
        return [
            "architecture": .string(facts.architecture),
            "needs": .strings(facts.needed),
            "searchPath": .strings(facts.searchPath),
            "entrySymbol": .string(orNull: facts.hasEntry ? PluginEntry.symbol : nil),
            "soname": .string(orNull: facts.soname),
            "coreABIs": .array(facts.coreABIs.map { .integer(Int($0)) }),
            "coreReleases": .strings(facts.coreReleases),
            "compilers": .strings(facts.compilers),
            "isLoadable": .bool(library.isLoadable),
            "findings": .array(
                library.findings.map {
                    [
                        "rule": .string($0.rule.rawValue), "subject": .string($0.subject),
                        "what": .string($0.what.sentence),
                        "remedy": .string($0.remedy.sentence),
                    ]
                }),
        ]
    }

    /// All facts about the package as JSON.
    var json: JSONText { .object(members) }

    /// The members of the JSON document.
    ///
    /// Empty lists are included. The members `entry`, `coreABI` and `library` are null for a bundle without code, and `layout` is
    /// null for a page that is created by code. `library` is the one for this machine, and `platforms` has the libraries of all.
    private var members: [(String, JSONText)] {
        [
            ("path", .string(path.string)),
            ("catalogName", .string(catalogName)),
            ("size", .integer(size)),
            ("packageSHA256", .string(digest)),
            ("identifier", .string(manifest.identity.identifier.text)),
            ("version", .string(manifest.identity.version.description)),
            ("name", .string(manifest.name)),
            ("summary", .string(manifest.summary)),
            ("license", .string(orNull: manifest.license)),
            ("homepage", .string(orNull: manifest.homepage)),
            ("kind", .string(manifest.kind.rawValue)),
            ("entry", .string(orNull: manifest.entry)),
            ("coreABI", manifest.entry == nil ? .null : .integer(Int(manifest.coreABI))),
            ("library", library.map(Self.json(of:)) ?? .null),
            ("platforms", .array(platforms.map(\.json))),
            ("format", .string(format)),
            ("signature", seal.json),
            ("requires", .array(manifest.requirements.map(\.json))),
            ("appGroups", .strings(manifest.appGroups)),
            ("appGroupProblems", .strings((groupRefusal?.problems ?? []).map(\.sentence))),
            ("languages", .strings(languages)),
            ("routes", .array(manifest.routes.map(\.json))),
            ("targets", .array(manifest.targets.map(\.json))),
            ("services", .strings(manifest.services)),
            (
                "extensions",
                .array(
                    manifest.extensions.map { declaration in
                        guard case .object(let members) = declaration.json else { return .null }
                        let library = extensionLibraries.first { $0.entry == declaration.entry }
                        return .object(members + [("library", library.map { Self.json(of: $0.report) } ?? .null)])
                    })
            ),
            ("extensionPoints", .array(manifest.extensionPoints.map(\.json))),
            ("permissions", .strings(manifest.permissions.map(\.rawValue))),
            ("dataVersion", .integer(manifest.dataVersion)), ("isolation", .string(manifest.isolation.rawValue)),
            (
                "files",
                .array(
                    files.map { ["name": .string($0.name), "size": .integer(Int(clamping: $0.size))] })
            ),
        ]
    }

    /// Returns the members with the declarations that packing has added to the manifest, and its warnings.
    func members(adding additions: ManifestAdditions, warnings: [String]) -> [(String, JSONText)] {
        let added: JSONText = [
            "routes": .strings(additions.routes), "actions": .strings(additions.actions),
            "services": .strings(additions.services), "extensionPoints": .strings(additions.extensionPoints),
            "extensions": .strings(additions.extensions), "requirements": .strings(additions.requirements),
        ]
        return members + [("addedFromCode", added), ("warnings", .strings(warnings))]
    }
}
