public import Authoring
import BundleFormat
import HostSystem
import Preflight
public import Console
internal import PluginCore
import PluginRuntime
import Signing

extension PackageInspection {
    /// Returns the package's path and the facts that identify it.
    ///
    /// - Parameter additions: the declarations that packing has added to the manifest.
    public func summary(for terminal: Terminal, adding additions: ManifestAdditions? = nil) -> String {
        var facts = Table([.init(style: .dim), .init()])
        facts.add(["bundle", "\(manifest.name), \(manifest.identity), kind \(manifest.kind.rawValue)"])
        let services = manifest.services.isEmpty ? [] : [count(manifest.services.count, "service")]
        let extensions = manifest.extensions.isEmpty ? [] : [count(manifest.extensions.count, "extension")]
        facts.add([
            "offers",
            list(
                [count(manifest.routes.count, "route"), count(manifest.targets.count, "target")] + services
                    + extensions),
        ])
        if let additions, !additions.isEmpty {
            facts.add([additions.requirements.isEmpty ? "from its code" : "from bundle.json", words(additions)])
        }
        facts.add(["holds", "\(count(files.count, "file")), \(byteCount(size)); languages: \(list(languages))"])
        facts.add(["signed", seal.words])
        if let package = seal.package { facts.add(["seal SHA-256", package.digest]) }
        facts.add(["package SHA-256", digest])
        return printable(path.string) + "\n" + facts.rendered(for: terminal)
    }

    /// Returns all facts as tables.
    public func text(for terminal: Terminal) -> String {
        [
            heading(for: terminal), facts(for: terminal), findings(), routes(for: terminal), targets(for: terminal),
            extensions(for: terminal), listing(for: terminal),
        ]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(for terminal: Terminal) -> String {
        let name = terminal.styled("\(manifest.name) \(manifest.identity.version)", .bold)
        let lines = [name] + (manifest.summary.isEmpty ? [] : [printable(manifest.summary)])
        return lines.joined(separator: "\n") + "\n"
    }

    private func facts(for terminal: Terminal) -> String {
        var facts = Table([.init(style: .dim), .init()])
        facts.add(["identifier", manifest.identity.identifier.text])
        facts.add(["kind", manifest.kind.rawValue])
        facts.add(["format", format])
        if let entry = manifest.entry {
            facts.add(["entry", entry])
            facts.add(["Core ABI", "\(manifest.coreABI)"])
        }
        if let library { addFacts(of: library, to: &facts) }
        addSeal(to: &facts)
        facts.add(["requires", list(manifest.requirements.map(\.words))])
        if !manifest.appGroups.isEmpty { facts.add(["app groups", list(manifest.appGroups)]) }
        if !manifest.services.isEmpty { facts.add(["services", list(manifest.services)]) }
        if !manifest.permissions.isEmpty { facts.add(["permissions", list(manifest.permissions.map(\.rawValue))]) }
        if manifest.dataVersion > 0 { facts.add(["data version", String(manifest.dataVersion)]) }
        if manifest.isolation != .host { facts.add(["isolation", manifest.isolation.rawValue]) }
        if !manifest.extensionPoints.isEmpty {
            facts.add(["extension points", list(manifest.extensionPoints.map(\.identifier))])
        }
        if let license = manifest.license { facts.add(["license", license]) }
        if let homepage = manifest.homepage { facts.add(["homepage", homepage]) }
        facts.add(["languages", list(languages)])
        facts.add(["size", byteCount(size)])
        facts.add(["package SHA-256", digest])
        if path.lastComponent != catalogName {
            facts.add(["note", "a catalog finds it only under the name \(catalogName)"])
        }
        return facts.rendered(for: terminal)
    }

    private func addSeal(to table: inout Table) {
        guard let package = seal.package else { return table.add(["signed", seal.words]) }
        table.add(["team", package.seal.team])
        table.add(["key", package.keyID.description])
        table.add(["signed", package.seal.signedTime])
        table.add(["sealed files", "\(package.seal.files.count)"])
        table.add(["seal SHA-256", package.digest])
    }

    private func addFacts(of library: LibraryReport, to table: inout Table) {
        let facts = library.facts
        addPlatforms(to: &table)
        table.add(["entry symbol", facts.hasEntry ? PluginEntry.symbol : "-"])
        if let soname = facts.soname { table.add(["soname", soname]) }
        table.add(["built with", list(facts.coreReleases.map { "Core \($0)" } + facts.compilers)])
        table.add(["needs", list(facts.needed)])
        if !facts.searchPath.isEmpty { table.add(["looks in", list(facts.searchPath)]) }
        table.add([
            "result",
            library.isLoadable ? "a host of this release can load it" : "no host of this release can load it",
        ])
    }

    private func addPlatforms(to table: inout Table) {
        let contained = platforms.filter(\.isContained)
        let names = contained.map(\.architecture).filter { !$0.isEmpty }
        table.add([names.count > 1 ? "architectures" : "architecture", list(names)])
        // The platform of this machine alone goes without saying.
        guard platforms.map(\.triple) != [Platform.triple] else { return }
        if !contained.isEmpty { table.add(["platforms", list(contained.map(\.triple))]) }
        let others = platforms.filter { !$0.isContained }
        if !others.isEmpty { table.add(["left out", list(others.map(\.triple))]) }
    }

    private func findings() -> String {
        let libraries = (library?.findings ?? []).map(\.reason.sentence)
        let extensions = extensionLibraries.flatMap { found in
            found.report.findings.map { "\(found.entry): \($0.reason.sentence)" }
        }
        let others = platforms.filter { $0.triple != Platform.triple }.flatMap { platform in
            platform.libraries.flatMap { found in
                found.report.findings.map { "\(platform.triple)/\(found.entry): \($0.reason.sentence)" }
            }
        }
        return (libraries + extensions + others + (groupRefusal?.problems ?? []).map(\.sentence))
            .map { "  - \(printable($0))\n" }.joined()
    }

    private func routes(for terminal: Terminal) -> String {
        guard !manifest.routes.isEmpty else { return "" }
        // Most routes have no attributes beyond the defaults, so the column is left out if it would be empty.
        let hasAttributes = manifest.routes.contains { !$0.attributes.isEmpty }
        let columns = ["ROUTE", "KIND", "NAME", "LAYOUT", "GUARDS"] + (hasAttributes ? ["WISHES"] : [])
        var table = Table(columns.map { .init($0) })
        for route in manifest.routes {
            let row = [route.pattern, route.kind.rawValue, route.name, route.layout ?? "-", list(route.guards)]
            table.add(row + (hasAttributes ? [list(route.attributes)] : []))
        }
        return table.rendered(for: terminal)
    }

    private func targets(for terminal: Terminal) -> String {
        guard !manifest.targets.isEmpty else { return "" }
        var table = Table(["TARGET", "ACTIONS"])
        for target in manifest.targets { table.add([target.name, list(target.actions.map(\.words))]) }
        return table.rendered(for: terminal)
    }

    private func extensions(for terminal: Terminal) -> String {
        guard !manifest.extensions.isEmpty else { return "" }
        var table = Table(["EXTENSION", "POINT", "NAME", "ENTRY"])
        for found in manifest.extensions {
            table.add([found.identifier.text, found.point, found.name, found.entry])
        }
        return table.rendered(for: terminal)
    }

    private func listing(for terminal: Terminal) -> String {
        var table = Table(["FILE", .init("BYTES", .trailing)])
        for file in files { table.add([file.name, "\(file.size)"]) }
        return table.rendered(for: terminal)
    }

    private func list(_ words: [String]) -> String { words.isEmpty ? "-" : words.joined(separator: ", ") }

    private func words(_ additions: ManifestAdditions) -> String {
        let kinds = [
            (additions.routes, "route"), (additions.actions, "action"), (additions.services, "service"),
            (additions.extensionPoints, "extension point"),
            (additions.extensions, "extension"), (additions.requirements, "requirement"),
        ]
        return list(kinds.filter { !$0.0.isEmpty }.map { count($0.0.count, $0.1) })
    }

    private func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
