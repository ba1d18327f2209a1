import PluginCore
import PluginTestKit
import FaultInjection

/// The bundle under test, in a catalog with its dependencies.
struct Offer {
    let catalog: ThrowawayCatalog
    /// The same packages on a web server, the newest version of the bundle in a second publication; `nil` if none was requested.
    let site: PublishedSite?
    let operations: [FaultOperation]

    private struct Listing: Decodable {
        struct Package: Decodable {
            let identifier: String
            let version: String
        }

        let packages: [Package]
    }

    /// Creates the catalog.
    ///
    /// - Parameter packages: versions of one bundle; if it is empty, the sample plugin with several versions is used.
    ///   - raised: the package of a version with a higher data version; `nil` for none.
    ///   - isPublished: whether the operations that use a web server are wanted.
    init(host: HostApp, packages: [String], raised: FilePath?, publishing isPublished: Bool) async throws {
        catalog = try ThrowawayCatalog(copying: host.catalog)
        for package in packages { try catalog.add(FilePath(package)) }
        let listed = try await Self.packages(in: catalog, host)
        let own = try await packages.isEmpty ? listed : Self.packages(of: packages, host)
        guard let identifier = Self.subject(of: own, mayChoose: packages.isEmpty) else {
            throw FixtureError("--package wants packages of one bundle, all sound; \"bundletool inspect\" tells more")
        }
        func versions(of identifier: String, in packages: [Listing.Package]) -> [SemanticVersion] {
            packages.filter { $0.identifier == identifier }.compactMap { SemanticVersion($0.version) }
        }
        let neighbor = listed.map(\.identifier).filter { $0 != identifier }.min()
        var addresses: [String: String] = [:]
        addresses[identifier] = try await FaultOperation.address(
            of: identifier, versions: versions(of: identifier, in: own), on: host, catalog: catalog)
        // Without an address, the operations that run the bundle would silently be left out.
        guard addresses[identifier] != nil || !packages.isEmpty else {
            throw FixtureError("no address of \(identifier) can be opened")
        }
        if let neighbor {
            addresses[neighbor] = try await FaultOperation.address(
                of: neighbor, versions: versions(of: neighbor, in: listed), on: host, catalog: catalog)
        }
        let ours = versions(of: identifier, in: own)
        let site = isPublished ? try await Self.site(of: catalog, newest: (identifier, ours.max()), host) : nil
        self.site = site
        operations =
            FaultOperation.standard(for: identifier, versions: ours, beside: neighbor, opening: addresses)
            + [.rebuild(for: identifier, versions: ours, beside: neighbor)]
            + (site.map { FaultOperation.published(identifier, on: $0) } ?? [])
            + Self.raising(identifier, from: ours.min(), to: raised, opening: addresses[identifier])
    }

    private static func raising(
        _ identifier: String, from oldest: SemanticVersion?, to raised: FilePath?, opening address: String?
    ) -> [FaultOperation] {
        guard let oldest, let raised, let address else { return [] }
        return FaultOperation.raising(identifier, from: oldest, to: raised, opening: address)
    }

    /// The seconds after which the server ends if this program was killed: more than a complete run takes.
    private static let serverLifetime = 86_400

    private static func site(
        of catalog: ThrowawayCatalog, newest: (identifier: String, version: SemanticVersion?), _ host: HostApp
    ) async throws -> PublishedSite {
        let all = try catalog.names().map { catalog.folder.appending($0) }
        let last = newest.version.map { catalog.package(newest.identifier, $0) }
        return try await PublishedSite(
            of: all.filter { $0 != last }, then: [last].compactMap(\.self), by: host, lifetime: serverLifetime)
    }

    /// Returns the bundle with the most versions, or the only one if there is no choice.
    private static func subject(of packages: [Listing.Package], mayChoose: Bool) -> String? {
        let versions = Dictionary(grouping: packages, by: \.identifier)
        guard mayChoose || versions.count == 1 else { return nil }
        return versions.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
    }

    private static func packages(of files: [String], _ host: HostApp) async throws -> [Listing.Package] {
        let catalog = try ThrowawayCatalog()
        for file in files { try catalog.add(FilePath(file)) }
        return try await packages(in: catalog, host)
    }

    private static func packages(in catalog: ThrowawayCatalog, _ host: HostApp) async throws -> [Listing.Package] {
        let result = try await host.with(sandbox: ThrowawaySandbox(), catalog: catalog).run("catalog", "--json")
        return try result.json(as: Listing.self).packages
    }
}
