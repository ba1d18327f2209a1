import Authoring
import Console
import ExtensionHost
import PluginCore
import PluginExtension
import Preflight

/// The `bundletool inspect` command.
enum InspectCommand: ProgramCommand {
    static let declaration = Command(
        "inspect", arguments: [.required("package.zip", kind: .file(ending: ".zip"))],
        options: [ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary])

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
        let findings = library.findings.map {
            JSONText([
                "rule": $0.rule.rawValue, "subject": $0.subject, "what": $0.what.sentence,
                "remedy": $0.remedy.sentence,
            ])
        }
        return JSONText([
            "architecture": facts.architecture, "needs": facts.needed, "searchPath": facts.searchPath,
            "entrySymbol": facts.hasEntry ? PluginEntry.symbol : nil, "soname": facts.soname,
            "coreABIs": facts.coreABIs.map(Int.init), "coreReleases": facts.coreReleases,
            "compilers": facts.compilers, "isLoadable": library.isLoadable, "findings": findings,
        ])
    }

    /// All facts about the package as JSON.
    ///
    /// Empty lists are included. The members `entry`, `coreABI` and `library` are null for a bundle without code, and `layout` is
    /// null for a page that is created by code. `library` is the one for this machine, and `platforms` has the libraries of all.
    var json: JSONText {
        let extensions = manifest.extensions.map { declaration in
            let library = extensionLibraries.first { $0.entry == declaration.entry }
            return declaration.json + JSONText(["library": library.map { Self.json(of: $0.report) }])
        }
        return JSONText([
            "path": path,
            "catalogName": catalogName,
            "size": size,
            "packageSHA256": digest,
            "identifier": manifest.identity.identifier,
            "version": manifest.identity.version,
            "name": manifest.name,
            "summary": manifest.summary,
            "license": manifest.license,
            "homepage": manifest.homepage,
            "kind": manifest.kind.rawValue,
            "entry": manifest.entry,
            "coreABI": manifest.entry.map { _ in Int(manifest.coreABI) },
            "library": library.map(Self.json(of:)),
            "platforms": platforms.map(\.json),
            "format": format,
            "signature": seal.json,
            "requires": manifest.requirements,
            "appGroups": manifest.appGroups,
            "appGroupProblems": (groupRefusal?.problems ?? []).map(\.sentence),
            "languages": languages,
            "routes": manifest.routes,
            "targets": manifest.targets,
            "services": manifest.services,
            "extensions": extensions,
            "extensionPoints": manifest.extensionPoints,
            "permissions": manifest.permissions.map(\.rawValue),
            "dataVersion": manifest.dataVersion,
            "isolation": manifest.isolation.rawValue,
            "files": files.map { JSONText(["name": $0.name, "size": Int(clamping: $0.size)]) },
        ])
    }

    /// Returns the facts with the declarations that packing has added to the manifest, and its warnings.
    func json(adding additions: ManifestAdditions, warnings: [String]) -> JSONText {
        let added = JSONText([
            "routes": additions.routes, "actions": additions.actions, "services": additions.services,
            "extensionPoints": additions.extensionPoints, "extensions": additions.extensions,
            "requirements": additions.requirements,
        ])
        return json + JSONText(["addedFromCode": added, "warnings": warnings])
    }
}
