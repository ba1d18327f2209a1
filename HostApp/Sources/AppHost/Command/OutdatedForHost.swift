import BundleFormat
import Console
import Doctor
import PluginCore
import PluginRuntime
import Preflight
import Registry

extension HostCall {
    /// Returns the answer that says to which versions installed bundles can be updated after an upgrade to another host.
    func answer(
        about host: HostDescription, _ identifiers: [BundleIdentifier], _ offers: OfferedVersions
    ) throws -> Answer {
        let findings = try Checkup(of: manager).findings(for: host.host, by: LibraryPreflight(for: host))
        let unloadable = Set(findings.filter { $0.severity == .wrong }.map(\.subject))
        let blockRule = try offers.blockRule()
        var table = Table(["NAME", "IDENTIFIER", "VERSION", "FOR THAT HOST"])
        var (rows, lacking): ([JSONText], [String]) = ([], [])
        for active in try registry.active.all().map(\.active)
        where identifiers.isEmpty || identifiers.contains(active.identifier) {
            let isLoadable = !unloadable.contains(active.identity.description)
            let versions = try offers.catalog.versions(of: active.identifier)
            let version = try versions.filter { $0 >= active.version }.sorted(by: >).first { version in
                let identity = BundleIdentity(identifier: active.identifier, version: version)
                // An update fetches other libraries of the active version only from a package with the same seal.
                let isUsable =
                    try version == active.version
                    ? offers.planner.isOffered(active, in: offers.catalog)
                    : version.isForAnybody(after: active.version, among: versions) && blockRule(identity) == nil
                return isUsable && (try? offers.catalog.package(identity).serves(host.build)) == true
            }
            let reached = version ?? (isLoadable ? active.version : nil)
            if reached == nil { lacking.append(active.identity.description) }
            table.add([active.name, active.identifier, active.version, reached.map { "\($0)" } ?? "-"])
            rows.append(
                ["name": active.name] + active.identity.jsonObject + ["forHost": reached, "isLoadable": isLoadable])
        }
        try offers.catalog.requireReachable()
        let text =
            lacking.isEmpty
            ? "" : "\n" + localized("No catalog has libraries for \(host.host): \(lacking.joined(separator: ", ")).\n")
        return Answer(
            text: rows.isEmpty ? localized("Nothing is installed.\n") : table.rendered(for: terminal) + text,
            json: ["host": host.host, "bundles": rows, "lacking": lacking], status: lacking.isEmpty ? .done : .refused)
    }
}

extension CatalogPackage {
    /// Returns whether the package has libraries for a host, as its catalog says, or else the file itself.
    ///
    /// An entry that names no hosts, such as one published before it could, is judged by its platforms and the manifest's Core ABI alone.
    fileprivate func serves(_ host: LibraryBuild) throws -> Bool {
        guard (try? requireBuild(for: host)) != nil else { return false }
        guard let entry = manifest.entry, ![hosts, platforms ?? []].contains(where: { $0.contains(host.folder) })
        else { return true }
        guard download == nil else { return true }
        let content = try PackageFile(path: path).libraryContent(named: entry, for: host.platform)
        return content.flatMap { LibraryPreflight.build(of: $0, for: host.platform) } == host
    }
}
