import BundleFormat
import Console
import Doctor
import ExtensionHost
import PluginCatalog
import PluginCore
import PluginExtension
import PluginRouter
import PluginRuntime
import Registry

/// The `hostapp info` command.
let infoCommand = HostCommand(
    "info", arguments: [.required("ID|PACKAGE", kind: .either([.host(.known), .file(ending: ".zip")]))]
) { call in
    try await call.manager.search { offers in
        try details(of: call.argument("ID|PACKAGE"), in: call, offers)
    }
}

/// A package; without a digest if it is still to be downloaded, and without a seal if its team has not sealed it.
private typealias Package = (offered: CatalogPackage, digest: String?, sealed: SealedPackage?)

private func opened(_ offered: CatalogPackage, _ converters: RouteConverters) throws -> Package {
    if offered.download != nil { return (offered, nil, nil) }
    let sealed = try? SealedPackage(opening: offered.path, converters: converters)
    return (offered, try PackageFile(path: offered.path).digest(), sealed)
}

/// Returns the facts about one version that is installed, offered by the catalog, or contained in a package file.
@MainActor
private func details(of word: String, in call: HostCall, _ offers: OfferedVersions) throws -> Answer {
    let (registry, sandbox, converters) = (call.registry, call.sandbox, offers.converters)
    var (installed, package): (InstalledBundle?, Package?)
    let manifest: Manifest
    var other = ""
    if word.hasSuffix(".zip") {
        let file = try opened(PackageFile(path: call.resolve(word)).offered(converters: converters), converters)
        (manifest, package) = (file.offered.manifest, file)
        let bundle = try registry.active.bundle(manifest.identifier)
        if let active = bundle?.active {
            let isSame = active.digest == file.sealed?.digest
            if isSame { installed = bundle } else { other = localized("; \(active.version) is active") }
        }
    } else if let bundle = try registry.active.bundle(call.identifier(word)) {
        installed = bundle
        manifest = try registry.versions.manifest(of: bundle.active)
        // Only a package with the same seal belongs to the installed version.
        if try offers.otherContent(of: bundle.active) == nil,
            let offered = try? offers.catalog.package(bundle.active.identity)
        {
            package = try opened(offered, converters)
        }
    } else {
        guard let offer = try offers.offer(of: call.identifier(word)) else { throw try offers.unknown(word) }
        manifest = offer
        package = try opened(offers.catalog.package(offer.identity), converters)
    }
    let (identifier, active, sealed) = (manifest.identifier, installed?.active, package?.sealed)
    let staged = try registry.staged.version(of: identifier)?.version
    let notes = try installed.map { _ in try registry.notes.notes(about: identifier) }
    let code = active.map { sandbox.folder(of: $0.identity, digest: $0.digest) }
    let data = sandbox.dataFolder(of: identifier).appending("\(manifest.dataVersion)")
    let keptData = try sandbox.keptData(of: identifier)
    let groups = try manifest.appGroups.map { (name: $0, path: try sandbox.group($0)) }
    let seal = active?.digest ?? sealed?.digest
    let team = active?.seal.team ?? sealed?.seal.team
    let keyID = active?.seal.keyID ?? sealed?.keyID
    let time = active.map { timestamp($0.installedAt) }

    var facts: [(String, String?)] = []
    func row(_ name: String, _ value: Table.Cell) { facts.append((localized(key: name), value?.description)) }
    row("name", manifest.name)
    row("summary", manifest.summary.isEmpty ? nil : manifest.summary)
    row("license", manifest.license)
    row("homepage", manifest.homepage)
    row("author", manifest.author)
    row("description", manifest.description)
    row("identifier", identifier)
    row("version", manifest.version)
    row("state", installed == nil ? localized("not installed") + other : localized("active"))
    row("previous", installed.map { $0.previous?.version.description ?? "-" })
    row("staged", staged.map { localized("\($0), becomes active at the next start") })
    row("limit", notes?.pin?.words)
    row("kind", manifest.kind.rawValue)
    row("Core ABI", manifest.coreABI)
    row("installed", time.map { time in notes?.reason.map { localized("\(time), \($0.words)") } ?? time })
    row("size", active.map { byteCount(Int($0.size)) })
    row("signed", team.map { localized("by \($0) with key \(keyID ?? "-")") } ?? localized("no"))
    row("seal SHA-256", seal ?? "-")
    if let (offered, digest, _) = package {
        let place = digest == nil ? localized("still to be downloaded") : offered.path.string
        row("package SHA-256", digest)
        row("package", localized("\(place), \(byteCount(Int(offered.size)))"))
    }
    row("code", code)
    row("data", data)
    for path in keptData { row("kept data", path) }
    for group in groups { row("app group", "\(group.name)  \(group.path)") }
    for requirement in manifest.requirements { row("requires", requirement.words) }
    for route in manifest.routes {
        let guards = route.guards.isEmpty ? "" : localized("  after \(route.guards.joined(separator: ", "))")
        let attributes = route.attributes.isEmpty ? "" : "  \(route.attributes.joined(separator: ", "))"
        row("route", "\(route.pattern)  \(route.kind.rawValue) \(route.name)\(guards)\(attributes)")
    }
    for target in manifest.targets {
        row("target", "\(target.name): \(target.actions.map(\.words).joined(separator: ", "))")
    }
    for service in manifest.services { row("service", service) }
    for found in manifest.extensions {
        row("extension", localized("\(found.identifier)  \(found.name), at \(found.point)"))
    }
    for point in manifest.extensionPoints { row("extension point", point.identifier) }
    for permission in manifest.permissions {
        row("permission", localized("\(permission.rawValue): it \(permission.words)"))
    }
    row("isolation", manifest.isolation == .host ? nil : manifest.isolation.rawValue)
    return Answer(
        text: Table(facts: facts).rendered(for: call.terminal),
        json: [
            "name": manifest.name, "identifier": identifier, "version": manifest.version,
            "state": installed == nil ? "not installed" : "active", "kind": manifest.kind.rawValue,
            "size": active.map { Int($0.size) }, "installedAt": time, "reason": notes?.reason?.rawValue,
            "team": team, "keyID": keyID, "sealSHA256": seal, "packageSHA256": package?.digest,
            "package": package.flatMap { $0.digest == nil ? nil : $0.offered.path },
            "previous": installed?.previous?.version, "staged": staged, "pin": notes?.pin?.json,
            "summary": manifest.summary, "coreABI": Int(manifest.coreABI), "code": code, "data": data,
            "dataVersion": manifest.dataVersion, "keptData": keptData,
            "appGroups": groups.map { ["name": $0.name, "path": $0.path] as JSONText },
            "requires": manifest.requirements, "routes": manifest.routes, "targets": manifest.targets,
            "services": manifest.services, "extensions": manifest.extensions,
            "extensionPoints": manifest.extensionPoints, "permissions": manifest.permissions.map(\.rawValue),
            "isolation": manifest.isolation.rawValue, "license": manifest.license, "homepage": manifest.homepage,
            "author": manifest.author, "description": manifest.description,
        ])
}

extension InstallReason {
    /// The reason for which a bundle is installed, such as `by name`.
    fileprivate var words: String { hostText("installed \(rawValue)") }
}

/// The `hostapp why` command.
let whyCommand = HostCommand("why", arguments: [.required("ID", kind: .host(.known))]) { call in
    let identifier = try call.identifier(call.argument("ID"))
    let diagnosis = try await call.manager.search { try call.manager.diagnosis(of: identifier, in: $0) }
    return Answer(text: diagnosis.text(for: call.terminal), json: diagnosis.json)
}

extension BundleDiagnosis {
    /// The remedies of all obstacles and findings without duplicates, followed by the commands that are possible anyway.
    private var remedies: [String] {
        let asked =
            obstacles.compactMap(Self.remedy(for:)) + findings.compactMap(\.remedy).map { "run \"\($0.sentence)\"" }
        var remedies = asked.unique
        if installable != nil {
            remedies.append(localized("run \"hostapp \(active == nil ? "install" : "update") \(identifier)\""))
        }
        return remedies.map(HostConfiguration.current.naming)
    }

    /// Returns the remedy for an obstacle, phrased for a reader who already runs this command.
    private static func remedy(for obstacle: AtriumError) -> String? {
        switch obstacle.code {
        case .dependencyConflict: hostText("conflictRemedy")
        case .quarantined: hostText("quarantinedRemedy", obstacle.subject)
        default: obstacle.report.remedy
        }
    }

    fileprivate func text(for terminal: Terminal) -> String {
        var table = Table([.init(style: .dim), .init()])
        for finding in findings {
            table.add([finding.topic.words, finding.sentence])
            for detail in finding.details { table.add(["", "- \(detail)"]) }
        }
        let isHere = active != nil || findings.contains { $0.topic == .staged }
        let otherwise = isHere ? localized("nothing") : hostText("packageNeeded")
        for (index, remedy) in (remedies.isEmpty ? [otherwise] : remedies).enumerated() {
            table.add([index == 0 ? localized("what to do") : "", remedy])
        }
        return table.rendered(for: terminal)
    }

    var json: JSONText {
        [
            "identifier": identifier, "active": active, "installable": installable, "findings": findings.map(\.json),
            "remedies": remedies,
        ]
    }
}

extension BundleDiagnosis.Finding {
    var json: JSONText {
        ["topic": topic.rawValue, "words": sentence, "obstacle": obstacle?.report.content]
    }

    /// The first sentence of the report, which says for a version that cannot be installed why it cannot.
    fileprivate var sentence: String {
        guard let obstacle, ![.needs, .staged, .quarantined].contains(topic) else { return reason.sentence }
        return obstacle.report.message
    }

    fileprivate var details: [String] {
        guard let report = obstacle?.report else { return [] }
        return topic == .staged ? [report.message] + report.details : report.details
    }
}

extension BundleDiagnosis.Topic {
    /// The name of the topic in tables.
    fileprivate var words: String { self == .neededBy ? localized("needed by") : localized(key: rawValue) }
}
