import Doctor
import PluginCatalog
import BundleFormat
import Registry
import Console
import ExtensionHost
import PluginCore
import PluginExtension
import PluginRouter
import PluginRuntime

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

private func package(_ offered: CatalogPackage, _ converters: RouteConverters) throws -> Package {
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
        let file = try AppHost.package(
            PackageFile(path: call.resolve(word)).offered(converters: converters), converters)
        (manifest, package) = (file.offered.manifest, file)
        let bundle = try registry.active.bundle(manifest.identity.identifier)
        if let active = bundle?.active {
            let isSame = active.digest == file.sealed?.digest
            if isSame { installed = bundle } else { other = localized("; \(active.identity.version) is active") }
        }
    } else if let bundle = try registry.active.bundle(call.identifier(word)) {
        installed = bundle
        manifest = try registry.versions.manifest(of: bundle.active)
        // Only a package with the same seal belongs to the installed version.
        if try offers.otherContent(of: bundle.active) == nil,
            let offered = try? offers.catalog.package(bundle.active.identity)
        {
            package = try AppHost.package(offered, converters)
        }
    } else {
        guard let offer = try offers.offer(of: call.identifier(word)) else { throw try offers.unknown(word) }
        manifest = offer
        package = try AppHost.package(offers.catalog.package(offer.identity), converters)
    }
    let (identifier, version) = (manifest.identity.identifier, manifest.identity.version)
    let staged = try registry.staged.version(of: identifier)?.identity.version
    let notes = try installed.map { _ in try registry.notes.notes(about: identifier) }
    let code = installed.map { sandbox.folder(of: $0.active.identity, digest: $0.active.digest) }
    let data = sandbox.dataFolder(of: identifier).appending("\(manifest.dataVersion)")
    let keptData = try sandbox.keptData(of: identifier)
    let groups = try manifest.appGroups.map { (name: $0, path: try sandbox.group($0)) }
    let seal = installed?.active.digest ?? package?.sealed?.digest
    let team = installed?.active.seal.team ?? package?.sealed?.seal.team
    let keyID = installed?.active.seal.keyID ?? package?.sealed?.keyID
    let time = installed.map { timestamp($0.active.installedAt) }

    var facts: [(String, String?)] = []
    func row(_ label: String, _ value: String?) { facts.append((label, value)) }
    row(localized("name"), manifest.name)
    row(localized("summary"), manifest.summary.isEmpty ? nil : manifest.summary)
    row(localized("license"), manifest.license)
    row(localized("homepage"), manifest.homepage)
    row(localized("identifier"), identifier.text)
    row(localized("version"), version.description)
    row(localized("state"), installed == nil ? localized("not installed") + other : localized("active"))
    row(localized("previous"), installed.map { $0.previous?.identity.version.description ?? "-" })
    row(localized("staged"), staged.map { localized("\($0), becomes active at the next start") })
    row(localized("limit"), notes?.pin?.words)
    row(localized("kind"), manifest.kind.rawValue)
    row(localized("Core ABI"), String(manifest.coreABI))
    row(
        localized("installed"),
        time.map { time in notes?.reason.map { localized("\(time), \($0.words)") } ?? time })
    row(localized("size"), installed.map { byteCount(Int($0.active.size)) })
    row(localized("signed"), team.map { localized("by \($0) with key \(keyID ?? "-")") } ?? localized("no"))
    row(localized("seal SHA-256"), seal ?? "-")
    if let (offered, digest, _) = package {
        let place = digest == nil ? localized("still to be downloaded") : offered.path.string
        row(localized("package SHA-256"), digest)
        row(localized("package"), localized("\(place), \(byteCount(Int(offered.size)))"))
    }
    row(localized("code"), code?.string)
    row(localized("data"), data.string)
    for path in keptData { row(localized("kept data"), path.string) }
    for group in groups { row(localized("app group"), "\(group.name)  \(group.path)") }
    for requirement in manifest.requirements { row(localized("requires"), requirement.words) }
    for route in manifest.routes {
        let guards = route.guards.isEmpty ? "" : localized("  after \(route.guards.joined(separator: ", "))")
        let attributes = route.attributes.isEmpty ? "" : "  \(route.attributes.joined(separator: ", "))"
        row(localized("route"), "\(route.pattern)  \(route.kind.rawValue) \(route.name)\(guards)\(attributes)")
    }
    for target in manifest.targets {
        row(localized("target"), "\(target.name): \(target.actions.map(\.words).joined(separator: ", "))")
    }
    for service in manifest.services { row(localized("service"), service) }
    for found in manifest.extensions {
        row(localized("extension"), localized("\(found.identifier)  \(found.name), at \(found.point)"))
    }
    for point in manifest.extensionPoints { row(localized("extension point"), point.identifier) }
    for permission in manifest.permissions {
        row(localized("permission"), localized("\(permission.rawValue): it \(permission.words)"))
    }
    row(localized("isolation"), manifest.isolation == .host ? nil : manifest.isolation.rawValue)
    return Answer(
        text: Table(facts: facts).rendered(for: call.terminal),
        json: [
            "name": manifest.name, "identifier": identifier, "version": version,
            "state": installed == nil ? "not installed" : "active", "kind": manifest.kind.rawValue,
            "size": installed.map { Int($0.active.size) }, "installedAt": time, "reason": notes?.reason?.rawValue,
            "team": team, "keyID": keyID, "sealSHA256": seal, "packageSHA256": package?.digest,
            "package": package.flatMap { $0.digest == nil ? nil : $0.offered.path },
            "previous": installed?.previous?.identity.version, "staged": staged, "pin": notes?.pin?.json,
            "summary": manifest.summary, "coreABI": Int(manifest.coreABI), "code": code, "data": data,
            "dataVersion": manifest.dataVersion, "keptData": keptData,
            "appGroups": groups.map { ["name": $0.name, "path": $0.path] as JSONText },
            "requires": manifest.requirements, "routes": manifest.routes, "targets": manifest.targets,
            "services": manifest.services, "extensions": manifest.extensions,
            "extensionPoints": manifest.extensionPoints, "permissions": manifest.permissions.map(\.rawValue),
            "isolation": manifest.isolation.rawValue, "license": manifest.license, "homepage": manifest.homepage,
        ])
}

extension InstallReason {
    /// The reason for which a bundle is installed, such as `by name`.
    fileprivate var words: String {
        switch self {
        case .requested: localized("by name")
        case .required: localized("because another plugin requires it")
        case .onDemand: localized("because an address or a call needed it")
        }
    }
}
