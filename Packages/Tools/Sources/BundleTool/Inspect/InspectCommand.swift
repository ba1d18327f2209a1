import Authoring
import BundleFormat
import Console
import ExtensionHost
import HostSystem
import PluginCore
import PluginExtension
import Preflight

/// The `bundletool inspect` command.
let inspectCommand = ProgramCommand(
    "inspect", arguments: [.required("package.zip", kind: .package)],
    options: [ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary]
) { parsed, terminal in
    let inspection = try PackageInspection(
        of: parsed.file(argument: "package.zip"), converters: ConverterOption.names(in: parsed),
        dependencies: parsed.files("dependency"), hostLibraries: parsed.files("host-library"))
    return Answer(
        text: inspection.text(for: terminal), json: inspection.json,
        status: inspection.groupRefusal?.exitStatus ?? .done)
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
        return [
            "architecture": facts.architecture, "needs": facts.needed, "searchPath": facts.searchPath,
            "entrySymbol": facts.hasEntry ? PluginEntry.symbol : nil, "soname": facts.soname,
            "coreABIs": facts.coreABIs.map(Int.init), "coreReleases": facts.coreReleases,
            "compilers": facts.compilers, "isLoadable": library.isLoadable, "findings": findings,
        ]
    }

    /// All facts about the package as JSON.
    ///
    /// Empty lists are included. The members `entry`, `coreABI` and `library` are null for a bundle without code, and `layout` is
    /// null for a page that is created by code. `library` is the one for this machine, and `platforms` has the libraries of all.
    var json: JSONText {
        let extensions = manifest.extensions.map { declaration in
            let library = extensionLibraries.first { $0.entry == declaration.entry }
            return declaration.json + ["library": library.map { Self.json(of: $0.report) }]
        }
        return [
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
            "author": manifest.author,
            "description": manifest.description,
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
        ]
    }

    /// Returns the facts with the declarations that packing has added to the manifest, and its warnings.
    func json(adding additions: ManifestAdditions, warnings: [String]) -> JSONText {
        let added = JSONText([
            "routes": additions.routes, "actions": additions.actions, "services": additions.services,
            "extensionPoints": additions.extensionPoints, "extensions": additions.extensions,
            "requirements": additions.requirements,
        ])
        return json + ["addedFromCode": added, "warnings": warnings]
    }
}

extension PackageInspection {
    /// Returns the package's path and the facts that identify it.
    ///
    /// - Parameter additions: the declarations that packing has added to the manifest.
    func summary(for terminal: Terminal, adding additions: ManifestAdditions? = nil) -> String {
        let counts = [(manifest.services.count, "service"), (manifest.extensions.count, "extension")]
        let offers = [(manifest.routes.count, "route"), (manifest.targets.count, "target")]
        let source = additions?.requirements.isEmpty == false ? "from bundle.json" : "from its code"
        let facts: [(String, String?)] = [
            ("bundle", "\(manifest.name), \(manifest.identity), kind \(manifest.kind.rawValue)"),
            ("offers", list((offers + counts.filter { $0.0 > 0 }).map(count))),
            (source, additions.flatMap { $0.isEmpty ? nil : words($0) }),
            ("holds", "\(count(files.count, "file")), \(byteCount(size)); languages: \(list(languages))"),
            ("signed", seal.words), ("seal SHA-256", seal.package?.digest), ("package SHA-256", digest),
        ]
        return printable(path) + "\n" + Table(facts: facts).rendered(for: terminal)
    }

    /// Returns all facts as tables.
    func text(for terminal: Terminal) -> String {
        // Most routes have no attributes beyond the defaults, so the column is left out if it would be empty.
        let hasAttributes = manifest.routes.contains { !$0.attributes.isEmpty }
        let routes = manifest.routes.map { route in
            [route.pattern, route.kind.rawValue, route.name, route.layout ?? "-", list(route.guards)]
                + (hasAttributes ? [list(route.attributes)] : [])
        }
        let extensions = manifest.extensions.map { [$0.identifier.text, $0.point, $0.name, $0.entry] }
        let tables = [
            Table(["ROUTE", "KIND", "NAME", "LAYOUT", "GUARDS"] + (hasAttributes ? ["WISHES"] : []), rows: routes),
            Table(["TARGET", "ACTIONS"], rows: manifest.targets.map { [$0.name, list($0.actions.map(\.words))] }),
            Table(["EXTENSION", "POINT", "NAME", "ENTRY"], rows: extensions),
            Table(["FILE", .init("BYTES", .trailing)], rows: files.map { [$0.name, $0.size] }),
        ]
        let parts =
            [heading(for: terminal), facts(for: terminal), findings()]
            + tables.filter { !$0.isEmpty }.map { $0.rendered(for: terminal) }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(for terminal: Terminal) -> String {
        let name = terminal.styled("\(manifest.name) \(manifest.identity.version)", .bold)
        let lines = [name] + (manifest.summary.isEmpty ? [] : [printable(manifest.summary)])
        return lines.joined(separator: "\n") + "\n"
    }

    private func facts(for terminal: Terminal) -> String {
        let identity: [(String, String?)] = [
            ("identifier", manifest.identity.identifier.text), ("kind", manifest.kind.rawValue), ("format", format),
            ("entry", manifest.entry), ("Core ABI", manifest.entry.map { _ in "\(manifest.coreABI)" }),
        ]
        let signature: [(String, String?)] =
            seal.package.map { SealFacts.facts($0.seal, $0.keyID) + [("seal SHA-256", $0.digest)] }
            ?? [("signed", seal.words)]
        let others: [(String, String?)] = [
            ("requires", list(manifest.requirements.map(\.words))), ("app groups", some(manifest.appGroups)),
            ("services", some(manifest.services)), ("permissions", some(manifest.permissions.map(\.rawValue))),
            ("data version", manifest.dataVersion > 0 ? "\(manifest.dataVersion)" : nil),
            ("isolation", manifest.isolation != .host ? manifest.isolation.rawValue : nil),
            ("extension points", some(manifest.extensionPoints.map(\.identifier))),
            ("license", manifest.license), ("homepage", manifest.homepage), ("author", manifest.author),
            ("description", manifest.description), ("languages", list(languages)),
            ("size", byteCount(size)), ("package SHA-256", digest),
            ("note", path.lastComponent == catalogName ? nil : "a catalog finds it only under the name \(catalogName)"),
        ]
        return Table(facts: identity + libraryFacts + signature + others).rendered(for: terminal)
    }

    private var libraryFacts: [(String, String?)] {
        guard let library else { return [] }
        let facts = library.facts
        let contained = platforms.filter(\.isContained)
        let names = contained.map(\.architecture).filter { !$0.isEmpty }
        // The platform of this machine alone goes without saying.
        let isUsual = platforms.map(\.triple) == [Platform.triple]
        return [
            (names.count > 1 ? "architectures" : "architecture", list(names)),
            ("platforms", isUsual ? nil : some(contained.map(\.triple))),
            ("left out", isUsual ? nil : some(platforms.filter { !$0.isContained }.map(\.triple))),
            ("hosts", some(contained.map(\.hosts.words))),
            ("entry symbol", facts.hasEntry ? PluginEntry.symbol : "-"), ("soname", facts.soname),
            ("built with", list(facts.coreReleases.map { "Core \($0)" } + facts.compilers)),
            ("needs", list(facts.needed)), ("looks in", some(facts.searchPath)),
            ("result", (library.isLoadable ? "a" : "no") + " host of this release can load it"),
        ]
    }

    private func findings() -> String {
        let own = [("", library)] + extensionLibraries.map { ("\($0.entry): ", $0.report) }
        let ownFolder = LibraryBuild.host.folder(among: platforms.filter(\.isContained).map(\.triple))
        let others = platforms.filter { $0.triple != ownFolder ?? Platform.triple }.flatMap { platform in
            platform.libraries.map { ("\(platform.triple)/\($0.entry): ", Optional($0.report)) }
        }
        let problems = (own + others).flatMap { place, report in
            (report?.findings ?? []).map { place + $0.reason.sentence }
        }
        return (problems + (groupRefusal?.problems ?? []).map(\.sentence))
            .map { "  - \(printable($0))\n" }.joined()
    }

    private func some(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }

    private func list(_ words: [String]) -> String { some(words) ?? "-" }

    private func words(_ additions: ManifestAdditions) -> String {
        let kinds = [
            (additions.routes, "route"), (additions.actions, "action"), (additions.services, "service"),
            (additions.extensionPoints, "extension point"), (additions.extensions, "extension"),
            (additions.requirements, "requirement"),
        ]
        return list(kinds.filter { !$0.0.isEmpty }.map { count($0.0.count, $0.1) })
    }

    private func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
