import Zip
import BundleFormat
import Doctor
import PluginCore
@testable import PluginRuntime
import Registry
import RemoteCatalog
import Testing

@Suite("Deltas from published catalogs", .tags(.medium), .timeLimit(.minutes(2)))
struct DeltaDownloadTests {
    private static let (old, new) = (
        SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0)
    )
    private static var identity: BundleIdentity { BundleIdentity(identifier: .shop, version: new) }
    /// A text that a package with one changed line shares with the one before.
    private static let lines = (0..<4000).map { "line \($0 &* 2_654_435_761)\n" }.joined()

    private static func package(_ version: SemanticVersion, text: String? = nil) -> SamplePackage {
        var package = SamplePackage(version: "\(version)")
        package.files["Resources/lines.txt"] = lines + (text ?? "version \(version)\n")
        package.method = .deflated
        return package
    }

    private let temporary = TemporaryFolder()
    private let published: PublishedCatalog
    private let first: TestHost

    init() throws { (published, _, first) = try publishedCatalog(in: temporary.path) }

    /// Installs 1.0.0 from the catalog, publishes 1.1.0, and returns a host that has not heard of it.
    private func install(publishing publish: () throws -> Void) async throws -> TestHost {
        try published.publish(Self.package(Self.old))
        try await first.manager.install(.shop)
        try publish()
        return try first.another(catalog: published.catalog(in: first.sandbox.catalogs))
    }

    /// The differences of 1.1.0 from its seal.
    private func findings(in host: TestHost) throws -> [SealFinding] {
        return try #require(host.maintenance.verify().first { $0.bundle.identity == Self.identity }).findings
    }

    private func installed(_ host: TestHost, _ file: String) throws -> FilePath {
        let folder = host.sandbox.plugins.appending(TestHost.shop.text)
        return folder.appending(try #require(folder.names.first { $0.hasPrefix("1.0.0-") })).appending(file)
    }

    @Test("An update fetches the delta alone, and installs what the package contains")
    func update() async throws {
        let host = try await install { try published.publish(Self.package(Self.new), deltaFrom: Self.old) }
        // Without the package, only the delta can have been used.
        let size = try published.file(of: Self.identity).bytes.count
        try published.file(of: Self.identity).remove()
        let report = try await host.manager.update(.shop)
        let length = UInt64(try published.delta(to: Self.identity).bytes.count)
        #expect(report.download == PackageDownload(received: length, total: length, content: .delta(from: Self.old)))
        #expect(length * 10 < size, "\(length) of \(size)")
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(
            host.events.contains { $0.state == .downloading(done: length, total: length, .delta(from: Self.old)) })
        #expect(try findings(in: host).isEmpty)
        // Neither the delta nor the package stays.
        for name in try host.sandbox.catalogs.names
        where host.sandbox.catalogs.appending(name).appending("packages").exists {
            #expect(try host.sandbox.catalogs.appending(name).appending("packages").names.isEmpty)
        }
    }

    enum Trouble: CaseIterable {
        case missing, damaged, garbage, otherPackage, cut, changedBase, incompleteBase
    }

    @Test(
        "After any trouble with a delta, the package is downloaded, and the event and the report say why",
        arguments: Trouble.allCases)
    func trouble(_ trouble: Trouble) async throws {
        let publish = {
            try published.publish(Self.package(Self.new), deltaFrom: Self.old) { delta in
                switch trouble {
                case .garbage: delta = Array("a delta that the catalog's owner has signed, but not a delta".utf8)
                case .cut: delta.removeLast(delta.count / 3)
                case .otherPackage:
                    // The right format and base, but it leads to another package.
                    try published.publish(Self.package(SemanticVersion(major: 0, minor: 9, patch: 0), text: "other"))
                    delta = try self.delta()
                default: break
                }
            }
        }
        let host = try await install(publishing: publish)
        let delta = try published.delta(to: Self.identity)
        switch trouble {
        case .missing: try delta.remove()
        case .damaged:
            var bytes = try delta.bytes
            bytes[bytes.count / 2] ^= 1
            try delta.write(bytes)
        case .changedBase: try overwrite(installed(host, "Resources/lines.txt"), with: Array("other lines".utf8))
        case .incompleteBase: try installed(host, "Resources/lines.txt").remove()
        case .garbage, .otherPackage, .cut: break
        }
        let report = try await host.manager.update(.shop)
        #expect(try host.versions()[0] == "1.1.0")
        guard case .packageAfterDelta(let reason)? = report.download?.content else {
            Issue.record("\(String(describing: report.download))")
            return
        }
        #expect(reason.name == "deltaUnused")
        #expect(report.download?.received == UInt64(try published.file(of: Self.identity).bytes.count))
        #expect(
            host.events.contains { event in
                if case .downloading(_, _, .packageAfterDelta(reason)) = event.state { true } else { false }
            })
        #expect(try findings(in: host).isEmpty)
    }

    /// Returns the delta from 1.0.0 to another package, 0.9.0.
    private func delta() throws -> [UInt8] {
        try published.bytesOfDelta(from: PluginRuntimeTests.identity("1.0.0"), to: PluginRuntimeTests.identity("0.9.0"))
    }

    @Test("A delta from content that is not installed is not fetched")
    func otherBase() async throws {
        // The same version number with other content, as from a folder of packages.
        try published.publish(Self.package(Self.old, text: "other content"))
        let host = try TestHost(temporary.path)
        try await host.install(Self.package(Self.old))
        try published.publish(Self.package(Self.new), deltaFrom: Self.old)
        try published.delta(to: Self.identity).remove()
        let next = try host.another(catalog: published.catalog(in: host.sandbox.catalogs))
        #expect(try await next.manager.update(.shop).download?.content == .package)
    }

    @Test("A delta that is longer than the package is not fetched")
    func long() async throws {
        let host = try await install {
            try published.publish(Self.package(Self.new), deltaFrom: Self.old) {
                $0 += [UInt8](repeating: 0, count: 1 << 20)
            }
        }
        #expect(try await host.manager.update(.shop).download?.content == .package)
    }
}
