import Doctor
import PluginCatalog
import BundleFormat
import Registry
import Console
import PluginCore
import PluginRouter
import PluginRuntime
import Signing

/// The `hostapp info` command.
let infoCommand = HostCommand(
    "info", summary: "Show details of a plugin, installed or not.",
    discussion: """
        A plugin that is not installed is described from the package that would be installed from the catalog, or \
        from the given package. Two digests identify a version: the SHA-256 of its seal identifies the content, no \
        matter who signed it; the SHA-256 of the package identifies the file.
        """,
    arguments: [
        .required(
            "ID|PACKAGE", kind: .either([.item(.known), .file(ending: ".zip")]),
            help: "The plugin's identifier; or the path of a package, which ends with .zip.")
    ],
    examples: [
        Example("hostapp info com.example.app.shop"),
        Example("hostapp info ./com.example.app.shop-1.1.0.zip", "a package file"),
    ]
) { call in
    let details = try await call.manager.search { offers in
        try BundleDetails(of: call.parsed.argument("ID|PACKAGE") ?? "", in: call, offers)
    }
    return Answer(text: details.text(for: call.terminal), json: details.json)
}

/// The facts about one version that is installed, offered by the catalog, or contained in a package file.
private struct BundleDetails: JSONObjectConvertible {
    /// The package file of a version.
    struct Package {
        let path: FilePath
        let size: Int64
        /// The SHA-256 digest of the file.
        /// It is `nil` for a package that is still to be downloaded.
        let digest: String?
        /// The seal of a package that its team has sealed; otherwise `nil`.
        let sealed: SealedPackage?

        init(_ offered: CatalogPackage, converters: RouteConverters) throws {
            path = offered.path
            size = offered.size
            let isLocal = offered.download == nil
            digest = isLocal ? try PackageFile(path: offered.path).digest() : nil
            sealed = isLocal ? try? SealedPackage(opening: offered.path, converters: converters) : nil
        }
    }

    let manifest: Manifest
    /// The installed bundle if this version is active.
    var installed: InstalledBundle?
    /// The active version if it differs from this one.
    var active: SemanticVersion?
    var staged: PluginBundle?
    var pin: VersionPin?
    var reason: InstallReason?
    /// The package; for an installed version, the package with the same seal in the catalog.
    var package: Package?
    let code: FilePath?
    /// The folder of the data, and those of newer data that was set aside.
    let data: FilePath
    let keptData: [FilePath]
    let groups: [(name: String, path: FilePath)]

    @MainActor
    init(of word: String, in call: HostCall, _ offers: OfferedVersions) throws {
        let manager = call.manager
        let (registry, sandbox) = (manager.registry, manager.sandbox)
        let identifier: BundleIdentifier
        if word.hasSuffix(".zip") {
            let offered = try PackageFile(path: call.resolve(word)).offered(converters: offers.converters)
            identifier = offered.manifest.identity.identifier
            let package = try Package(offered, converters: offers.converters)
            self.package = package
            manifest = offered.manifest
            let bundle = try registry.active.bundle(identifier)
            if let bundle, bundle.active.digest == package.sealed?.digest { installed = bundle }
            if installed == nil { active = bundle?.active.identity.version }
        } else if let bundle = try registry.active.bundle(call.identifier(word)) {
            identifier = bundle.active.identity.identifier
            installed = bundle
            manifest = try registry.versions.manifest(of: bundle.active)
            if try offers.otherContent(of: bundle.active) == nil,
                let offered = try? offers.catalog.package(bundle.active.identity)
            {
                package = try Package(offered, converters: offers.converters)
            }
        } else {
            identifier = try call.identifier(word)
            guard let offer = try offers.offer(of: identifier) else { throw try offers.unknown(word) }
            manifest = offer
            package = try Package(offers.catalog.package(offer.identity), converters: offers.converters)
        }
        staged = try registry.staged.version(of: identifier)
        if installed != nil {
            pin = try registry.notes.notes(about: identifier).pin
            reason = try registry.notes.notes(about: identifier).reason
        }
        code = installed.map { sandbox.folder(of: $0.active.identity, digest: $0.active.digest) }
        data = sandbox.dataFolder(of: identifier).appending("\(manifest.dataVersion)")
        keptData = try sandbox.keptData(of: identifier)
        groups = try manifest.appGroups.map { ($0, try sandbox.group($0)) }
    }

    private var sealDigest: String? { installed?.active.digest ?? package?.sealed?.digest }
    private var team: String? { installed?.active.seal.team ?? package?.sealed?.seal.team }
    private var keyID: String? { installed?.active.seal.keyID ?? package?.sealed?.keyID }

    func text(for terminal: Terminal) -> String {
        let other = active.map { localized("; \($0) is active") } ?? ""
        var rows: [(label: String, value: String?)] = [
            (localized("name"), manifest.name),
            (localized("summary"), manifest.summary.isEmpty ? nil : manifest.summary),
            (localized("license"), manifest.license), (localized("homepage"), manifest.homepage),
            (localized("identifier"), manifest.identity.identifier.text),
            (localized("version"), manifest.identity.version.description),
            (localized("state"), installed == nil ? localized("not installed") + other : localized("active")),
            (localized("previous"), installed.map { $0.previous?.identity.version.description ?? "-" }),
            (
                localized("staged"),
                staged.map { localized("\($0.identity.version), becomes active at the next start") }
            ), (localized("limit"), pin?.words), (localized("kind"), manifest.kind.rawValue),
            (localized("Core ABI"), String(manifest.coreABI)),
        ]
        if let installed {
            let time = timestamp(installed.active.installedAt)
            rows.append((localized("installed"), reason.map { localized("\(time), \($0.words)") } ?? time))
            rows.append((localized("size"), byteCount(Int(installed.active.size))))
        }
        let signed = team.map { localized("by \($0) with key \(keyID ?? "-")") }
        rows += [(localized("signed"), signed ?? localized("no")), (localized("seal SHA-256"), sealDigest ?? "-")]
        if let package {
            let place = package.digest == nil ? localized("still to be downloaded") : package.path.string
            rows.append((localized("package SHA-256"), package.digest))
            rows.append((localized("package"), localized("\(place), \(byteCount(Int(package.size)))")))
        }
        rows += [(localized("code"), code?.string), (localized("data"), data.string)]
        rows += keptData.map { (localized("kept data"), $0.string) }
        rows += groups.map { (localized("app group"), "\($0.name)  \($0.path)") }
        rows += manifest.requirements.map { (localized("requires"), $0.words) }
        for route in manifest.routes {
            let guards = route.guards.isEmpty ? "" : localized("  after \(route.guards.joined(separator: ", "))")
            let attributes = route.attributes.isEmpty ? "" : "  \(route.attributes.joined(separator: ", "))"
            let words = "\(route.pattern)  \(route.kind.rawValue) \(route.name)\(guards)\(attributes)"
            rows.append((localized("route"), words))
        }
        rows += manifest.targets.map { target in
            (localized("target"), "\(target.name): \(target.actions.map(\.words).joined(separator: ", "))")
        }
        rows += manifest.services.map { (localized("service"), $0) }
        rows += manifest.extensions.map {
            (localized("extension"), localized("\($0.identifier)  \($0.name), at \($0.point)"))
        }
        rows += manifest.extensionPoints.map { (localized("extension point"), $0.identifier) }
        rows += manifest.permissions.map { (localized("permission"), localized("\($0.rawValue): it \($0.words)")) }
        rows.append((localized("isolation"), manifest.isolation == .host ? nil : manifest.isolation.rawValue))
        var table = Table([Table.Column(style: .dim), Table.Column()])
        for case (let label, let value?) in rows { table.add([label, value]) }
        return table.rendered(for: terminal)
    }

    var jsonMembers: JSONMembers {
        [
            "name": manifest.name, "identifier": manifest.identity.identifier, "version": manifest.identity.version,
            "state": installed == nil ? "not installed" : "active", "kind": manifest.kind.rawValue,
            "size": installed.map { Int($0.active.size) },
            "installedAt": installed.map { timestamp($0.active.installedAt) }, "reason": reason?.rawValue,
            "team": team, "keyID": keyID, "sealSHA256": sealDigest, "packageSHA256": package?.digest,
            "package": package.flatMap { $0.digest == nil ? nil : $0.path },
            "previous": installed?.previous?.identity.version, "staged": staged?.identity.version, "pin": pin,
            "summary": manifest.summary, "coreABI": Int(manifest.coreABI), "code": code, "data": data,
            "dataVersion": manifest.dataVersion, "keptData": keptData,
            "appGroups": groups.map { ["name": $0.name, "path": $0.path] as JSONMembers },
            "requires": manifest.requirements, "routes": manifest.routes, "targets": manifest.targets,
            "services": manifest.services, "extensions": manifest.extensions,
            "extensionPoints": manifest.extensionPoints, "permissions": manifest.permissions.map(\.rawValue),
            "isolation": manifest.isolation.rawValue, "license": manifest.license, "homepage": manifest.homepage,
        ]
    }
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
