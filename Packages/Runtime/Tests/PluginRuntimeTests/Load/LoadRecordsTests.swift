import SQLite
import Glibc
import Dispatch
import PluginCore
@testable import Registry
@testable import Trust
@testable import HostSystem
@testable import PluginRuntime
import Signing
import Testing

@Suite("Records of loaded versions", .tags(.medium))
struct LoadRecordsTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("The end of the session waits until records are written, even if background writing has already begun")
    func written() async throws {
        let bundle = try await host.install(SamplePackage())
        let records = LoadRecords(host.registry)
        let decision = TrustDecision(subject: .init(bundle), key: "key")
        let other = try host.database()
        try other.execute("BEGIN EXCLUSIVE")
        // The background task takes the record, and waits for the transaction.
        records.add { try? $0.trustDecisions.add([decision], for: "trust") }
        usleep(100_000)
        let isOver = Flag()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
            isOver.raise()
            #expect(throws: Never.self) { try other.execute("COMMIT") }
        }
        records.write()
        #expect(isOver.isRaised)
        #expect(try host.another().registry.trustDecisions.all(for: "trust") == [decision])
    }

    @Test("A verification is remembered across processes until a trust file changes")
    func remembered() async throws {
        let bundle = try await host.install(SamplePackage())
        let trust = host.root.appending("trust.json")
        try await settle(trust)
        try requireLoadable(bundle)
        let stamp = try #require(try TrustFile(shipped: trust, sandbox: host.sandbox).identity.lasting)
        let key = try TestTeam.key.get().publicKey.base64
        #expect(try host.registry.trustDecisions.all(for: stamp) == [TrustDecision(subject: .init(bundle), key: key)])
        // A real verification would reject this key as unknown.
        let seal = SealRecord(
            team: bundle.seal.team, keyID: String(repeating: "0", count: 16), libraryDigest: nil, libraryStamp: nil)
        let stranger = PluginBundle(
            try host.registry.versions.manifest(of: bundle), digest: bundle.digest, size: 0, installedAt: 0, seal: seal)
        try host.registry.trustDecisions.add([TrustDecision(subject: .init(stranger), key: key)], for: stamp)
        try requireLoadable(stranger)
        try trust.write(TestTeam.trust())
        try failing(.teamUnknown) { try requireLoadable(stranger) }
    }

    @Test("A trust file that has just changed isn't remembered")
    func racy() async throws {
        let trust = host.root.appending("trust.json")
        let file = TrustFile(shipped: trust, sandbox: host.sandbox)
        // A busy machine may need several attempts to look soon enough after the change.
        let isSeen = try (0..<1_000).contains { _ in
            try trust.write(TestTeam.trust())
            return try file.identity.lasting == nil
        }
        #expect(isSeen)
        try await settle(trust)
        #expect(try file.identity.lasting != nil)
    }

    /// Requires that a version may be loaded, as another process would, and saves the verification.
    private func requireLoadable(_ bundle: PluginBundle) throws {
        let records = LoadRecords(Registry(host.sandbox))
        let policy = TeamVerification(
            TrustFile(shipped: host.root.appending("trust.json"), sandbox: host.sandbox))
        _ = try policy.requireLoadable(bundle, records)
        policy.saveRecords(in: records)
        records.write()
    }
}

/// Waits until another change of the file would be noticed.
func settle(_ file: FilePath) async throws {
    while try FileStamp(of: file)?.isStable != true { await Task.yield() }
}
