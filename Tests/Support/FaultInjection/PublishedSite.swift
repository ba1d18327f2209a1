package import PluginTestKit
import FoundationEssentials
package import PluginCore
import TestServer

/// A published catalog on a web server of the loopback interface, which can show an older and a newer publication.
///
/// ```swift
/// let site = try await PublishedSite(of: [old], then: [new], by: build)
/// try site.show(.newer)
/// ```
package final class PublishedSite: Sendable {
    /// A publication.
    package enum State: String, Sendable {
        /// The first publication.
        case older
        /// The second one, which adds packages.
        case newer
    }

    private let folder: ThrowawayFolder
    private let server: WebServer

    /// Publishes packages and then more packages with `bundletool publish`, and serves the first publication.
    ///
    /// - Parameter lifetime: The seconds after which the server ends if this process has been killed.
    /// - Throws: ``FixtureError``, or the reason why the server does not start.
    package init(
        of packages: [FilePath], then more: [FilePath], by host: HostApp, lifetime: Int = 300
    ) async throws {
        folder = try ThrowawayFolder()
        let older = folder.appending(State.older.rawValue)
        let newer = folder.appending(State.newer.rawValue)
        try folder.write("correct horse", to: "password")
        try await Self.publish(packages, to: older, in: folder, by: host)
        try FileManager.default.copyItem(atPath: older.string, toPath: newer.string)
        try await Self.publish(more, to: newer, in: folder, by: host)
        server = try WebServer(serving: folder.appending("site").string, lifetime: lifetime)
        try show(.older)
    }

    /// The address of the catalog.
    package var address: String { server.address }

    /// The first root of the catalog.
    package var root: FilePath { folder.appending("older/metadata/1.root.json") }

    /// The SHA-256 digests of all packages, with which the names of their files begin.
    package var digests: Set<String> {
        let paths =
            (try? FileManager.default.subpathsOfDirectory(atPath: folder.appending("newer/targets").string)) ?? []
        return Set(
            paths.filter { $0.hasSuffix(".zip") }.compactMap { path in
                path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
            })
    }

    /// Shows a publication to the next requests.
    package func show(_ state: State) throws {
        let site = folder.appending("site").string
        try? FileManager.default.removeItem(atPath: site)
        try FileManager.default.createSymbolicLink(
            atPath: site, withDestinationPath: folder.appending(state.rawValue).string)
    }

    private static func publish(
        _ packages: [FilePath], to repository: FilePath, in folder: ThrowawayFolder, by host: HostApp
    ) async throws {
        let result = try await host.bundletool.run(
            ["publish"] + packages.map(\.string) + [
                "--to", repository.string, "--keys", folder.appending("keys").string, "--password-file",
                folder.appending("password").string,
            ])
        guard result.status == 0 else { throw FixtureError("the packages cannot be published; \(result)") }
    }
}
