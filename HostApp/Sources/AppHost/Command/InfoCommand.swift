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
    description: Command(
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
            Command.Example("hostapp info com.example.app.shop"),
            Command.Example("hostapp info ./com.example.app.shop-1.1.0.zip", "a package file"),
        ]
    )
) { call in
    let details = try await call.manager.search { offers in
        try BundleDetails(of: call.parsed.argument("ID|PACKAGE") ?? "", in: call, offers)
    }
    return Answer(text: details.text(for: call.terminal), json: details.json)
}

/// The facts about one version that is installed, offered by the catalog, or contained in a package file.
private struct BundleDetails {
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
            pin = try registry.pins.pin(of: identifier)
            reason = try registry.reasons.all()[identifier]
        }
        code = installed.map { sandbox.folder(of: $0.active.identity, digest: $0.active.digest) }
        data = sandbox.dataFolder(of: identifier).appending("\(manifest.dataVersion)")
        keptData = try sandbox.keptData(of: identifier)
        groups = try manifest.appGroups.map { ($0, try sandbox.group($0)) }
    }

    private var sealDigest: String? { installed?.active.digest ?? package?.sealed?.digest }
    private var team: String? { installed?.active.seal.team ?? package?.sealed?.seal.team }
    private var keyID: String? { installed?.active.seal.keyID ?? package?.sealed?.keyID.description }

    func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column(style: .dim), Table.Column()])
        table.add([localized("name"), manifest.name])
        if !manifest.summary.isEmpty { table.add([localized("summary"), manifest.summary]) }
        if let license = manifest.license { table.add([localized("license"), license]) }
        if let homepage = manifest.homepage { table.add([localized("homepage"), homepage]) }
        table.add([localized("identifier"), manifest.identity.identifier.text])
        table.add([localized("version"), manifest.identity.version.description])
        let other = active.map { localized("; \($0) is active") } ?? ""
        table.add([localized("state"), installed == nil ? localized("not installed") + other : localized("active")])
        if let installed {
            table.add([localized("previous"), installed.previous?.identity.version.description ?? "-"])
        }
        if let staged {
            table.add([localized("staged"), localized("\(staged.identity.version), becomes active at the next start")])
        }
        if let pin { table.add([localized("limit"), pin.words]) }
        table.add([localized("kind"), manifest.kind.rawValue])
        table.add([localized("Core ABI"), String(manifest.coreABI)])
        if let installed {
            let time = timestamp(installed.active.installedAt)
            table.add([localized("installed"), reason.map { localized("\(time), \($0.words)") } ?? time])
            table.add([localized("size"), byteCount(Int(installed.active.size))])
        }
        table.add([localized("signed"), team.map { localized("by \($0) with key \(keyID ?? "-")") } ?? localized("no")])
        table.add([localized("seal SHA-256"), sealDigest ?? "-"])
        if let package {
            if let digest = package.digest { table.add([localized("package SHA-256"), digest]) }
            let place = package.digest == nil ? localized("still to be downloaded") : package.path.string
            table.add([localized("package"), localized("\(place), \(byteCount(Int(package.size)))")])
        }
        if let code { table.add([localized("code"), code.string]) }
        table.add([localized("data"), data.string])
        for folder in keptData { table.add([localized("kept data"), folder.string]) }
        for group in groups { table.add([localized("app group"), "\(group.name)  \(group.path)"]) }
        for requirement in manifest.requirements { table.add([localized("requires"), requirement.words]) }
        for route in manifest.routes {
            let guards = route.guards.isEmpty ? "" : localized("  after \(route.guards.joined(separator: ", "))")
            let attributes = route.attributes.isEmpty ? "" : "  \(route.attributes.joined(separator: ", "))"
            table.add([
                localized("route"), "\(route.pattern)  \(route.kind.rawValue) \(route.name)\(guards)\(attributes)",
            ])
        }
        for target in manifest.targets {
            table.add([localized("target"), "\(target.name): \(target.actions.map(\.words).joined(separator: ", "))"])
        }
        for service in manifest.services { table.add([localized("service"), service]) }
        for found in manifest.extensions {
            table.add([localized("extension"), localized("\(found.identifier)  \(found.name), at \(found.point)")])
        }
        for point in manifest.extensionPoints { table.add([localized("extension point"), point.identifier]) }
        for permission in manifest.permissions {
            table.add([localized("permission"), localized("\(permission.rawValue): it \(permission.words)")])
        }
        if manifest.isolation != .host { table.add([localized("isolation"), manifest.isolation.rawValue]) }
        return table.rendered(for: terminal)
    }

    var json: JSONText {
        [
            "name": .string(manifest.name), "identifier": .string(manifest.identity.identifier.text),
            "version": .string(manifest.identity.version.description),
            "state": .string(installed == nil ? "not installed" : "active"),
            "kind": .string(manifest.kind.rawValue),
            "size": installed.map { .integer(Int($0.active.size)) } ?? .null,
            "installedAt": .string(orNull: installed.map { timestamp($0.active.installedAt) }),
            "reason": .string(orNull: reason?.rawValue), "team": .string(orNull: team),
            "keyID": .string(orNull: keyID), "sealSHA256": .string(orNull: sealDigest),
            "packageSHA256": .string(orNull: package?.digest),
            "package": .string(orNull: package.flatMap { $0.digest == nil ? nil : $0.path.string }),
            "previous": .string(orNull: installed?.previous?.identity.version.description),
            "staged": .string(orNull: staged?.identity.version.description), "pin": pin?.json ?? .null,
            "summary": .string(manifest.summary), "coreABI": .integer(Int(manifest.coreABI)),
            "code": .string(orNull: code?.string), "data": .string(data.string),
            "dataVersion": .integer(manifest.dataVersion), "keptData": .strings(keptData.map(\.string)),
            "appGroups": .array(groups.map { ["name": .string($0.name), "path": .string($0.path.string)] }),
            "requires": .array(manifest.requirements.map(\.json)), "routes": .array(manifest.routes.map(\.json)),
            "targets": .array(manifest.targets.map(\.json)), "services": .strings(manifest.services),
            "extensions": .array(manifest.extensions.map(\.json)),
            "extensionPoints": .array(manifest.extensionPoints.map(\.json)),
            "permissions": .strings(manifest.permissions.map(\.rawValue)),
            "isolation": .string(manifest.isolation.rawValue),
            "license": .string(orNull: manifest.license), "homepage": .string(orNull: manifest.homepage),
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
