import Registry
import Doctor
import PluginRuntime
import Console
import PluginCore

/// The `hostapp catalog` command.
let catalogCommand = HostCommand(
    "catalog", subcommands: [catalogList, catalogSources, catalogAdd, catalogRemove, catalogTrust, catalogRefresh],
    body: catalogListing)

/// The `hostapp catalog list` command.
private let catalogList = HostCommand("list", body: catalogListing)

@MainActor
func catalogListing(_ call: HostCall) async throws -> Answer {
    try await call.manager.search { offers in
        let listing = try offers.catalog.listing()
        if listing.packages.isEmpty { try offers.catalog.requireReachable() }
        let packageBlockRule = try offers.packageBlockRule()
        var states: [BundleIdentity: String] = [:]
        for bundle in try call.registry.staged.all() { states[bundle.identity] = "staged" }
        for bundle in try call.registry.active.all() {
            if let previous = bundle.previous { states[previous.identity] = "previous" }
            states[bundle.active.identity] = "yes"
        }
        var (blocked, packages): (String, [JSONText]) = ("", [])
        var table = Table(["NAME", "IDENTIFIER", "VERSION", Table.Column("SIZE", .trailing), "INSTALLED"])
        for package in listing.packages {
            let (manifest, identity, size) = (package.manifest, package.manifest.identity, Int(package.size))
            let obstacle = states[identity] == nil ? try packageBlockRule(package) : nil
            let state = states[identity] ?? (obstacle == nil ? "no" : "blocked")
            if let obstacle { blocked += "\(printable(obstacle.report.message))\n" }
            table.add([
                manifest.name, identity.identifier.text, identity.version.description, byteCount(size),
                localized(key: state),
            ])
            packages.append(
                ["name": manifest.name] + identity.jsonObject + [
                    "kind": manifest.kind.rawValue, "summary": manifest.summary, "size": size,
                    "installed": state == "yes", "state": state, "obstacle": obstacle?.report.content,
                ])
        }
        if !call.isJSON {
            for problem in listing.problems { StandardOutput.note(problem.report.text(for: Terminal(.error))) }
        }
        return Answer(
            text: call.text(of: table, otherwise: localized("The catalog is empty.\n"))
                + (blocked.isEmpty ? "" : "\n" + blocked),
            json: ["packages": packages, "problems": listing.problems.map(\.report.json)])
    }
}

/// The `hostapp store` command.
let storeCommand = HostCommand("store") { call in
    guard call.canShowScreens else { return try await catalogListing(call) }
    try await call.showScreens(from: .store)
    return nil
}
