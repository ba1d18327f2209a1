import PluginCore
@testable import PluginRuntime
import Signing
import Testing

@Suite("What running a version has shown")
struct LoadRecordsTests {
    @Test("is written when the session ends, whoever has begun to write it")
    func written() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            let bundle = try await host.manager.install(TestHost.shop).bundle
            for round in 0..<50 {
                try host.registry.keep(note: "round", "")
                let records = LoadRecords(host.registry)
                records.add(note: "round", "\(round)")
                // The background is given the chance to be the one that writes.
                await Task.yield()
                records.write()
                #expect(try host.another().registry.note("round") == "\(round)")
            }
            #expect(bundle.identity.identifier == TestHost.shop)
        }
    }

    @Test("spares the next process the trust store's files, as long as nobody has touched them")
    func remembered() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            let bundle = try await host.manager.install(TestHost.shop).bundle
            let trust = host.root.appending("trust.json")
            try await settle(trust)
            try gate(of: host).requireLoadable(bundle)
            let note = try #require(try host.registry.note("loadable"))
            let key = try TestTeam.key.get().publicKey.base64
            #expect(note.hasSuffix("com.example.app.shop com.example \(bundle.seal.keyID) - \(key)"))
            // Were it asked, it would not know the key.
            let stranger = bundle.signed(by: String(repeating: "0", count: 16))
            try host.registry.keep(
                note: "loadable", note + "\n" + "com.example.app.shop com.example \(stranger.seal.keyID) - \(key)")
            try gate(of: host).requireLoadable(stranger)
            try trust.write(TestTeam.trust())
            let error = try #require(throws: AtriumError.self) { try gate(of: host).requireLoadable(stranger) }
            #expect(error.code == .teamUnknown)
        }
    }

    @Test("says nothing of a trust store that has only just been changed")
    func racy() async throws {
        try await withHost { host in
            let trust = host.root.appending("trust.json")
            let file = TrustFile(shipped: trust, sandbox: host.sandbox)
            // A busy machine may need more than one go to look soon enough.
            let isSeen = try (0..<1_000).contains { _ in
                try trust.write(TestTeam.trust())
                return try file.identity.lasting == nil
            }
            #expect(isSeen)
            try await settle(trust)
            #expect(try file.identity.lasting != nil)
        }
    }

    /// Another process's gate.
    private func gate(of host: TestHost) throws -> Gate {
        let registry = Registry(host.sandbox)
        let records = LoadRecords(registry)
        let file = TrustFile(shipped: host.root.appending("trust.json"), sandbox: host.sandbox)
        return Gate(gate: TrustGate(file, remembering: records, in: registry), records: records)
    }

    private struct Gate {
        let gate: TrustGate
        let records: LoadRecords

        func requireLoadable(_ bundle: PluginBundle) throws {
            _ = try gate.requireLoadable(bundle)
            gate.keep()
            records.write()
        }
    }

    /// Waits until a change of the file would show.
    private func settle(_ file: FilePath) async throws {
        while try FileStamp(of: file)?.isSettled != true { await Task.yield() }
    }
}

extension PluginBundle {
    fileprivate func signed(by keyID: String) -> PluginBundle {
        PluginBundle(
            identity: identity, digest: digest, name: name, summary: summary, kind: kind, entry: entry,
            appGroups: appGroups, size: size, installedAt: installedAt,
            seal: SealRecord(
                team: seal.team, keyID: keyID, libraryDigest: seal.libraryDigest, libraryStamp: nil),
            provenAt: provenAt)
    }
}
