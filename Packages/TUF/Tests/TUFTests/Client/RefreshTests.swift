import FoundationEssentials
import TUF
import TUFMetadata
import Testing

@Suite("A refresh", .tags(.medium))
struct RefreshTests {
    @Test("reads each file once, and saves them as they were served", arguments: [true, false], [true, false])
    func requests(_ isConsistent: Bool, _ hasHashes: Bool) async throws {
        var repository = try FakeRepository()
        repository.root.isConsistent = isConsistent
        repository.hasHashes = hasHashes
        try repository.addTarget("dir/file", "content")
        for role in ["root", "targets", "snapshot", "timestamp"] { try repository.sign(role) }
        // A form that nobody writes.
        repository.metadata["timestamp.json"]?.append(0x20)
        let (client, _) = try await FakeClient.refreshed(repository)
        let prefix = isConsistent ? "1." : ""
        #expect(
            repository.metadata.requests == [
                "2.root.json", "timestamp.json", prefix + "snapshot.json", prefix + "targets.json",
            ])
        #expect(
            client.files
                == [
                    "root.json": repository.metadata["1.root.json"],
                    "timestamp.json": repository.metadata["timestamp.json"],
                    "snapshot.json": repository.metadata[prefix + "snapshot.json"],
                    "targets.json": repository.metadata[prefix + "targets.json"],
                ].compactMapValues { $0 })
        if !isConsistent { repository.targets["dir/file"] = Array("content".utf8) }
        #expect(try await client.download("dir/file") == "content")
    }

    @Test("with nothing new reads the timestamp, and a root that is not there")
    func nothingNew() async throws {
        let repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        repository.metadata.forgetRequests()
        #expect(await client.refresh() == nil)
        #expect(repository.metadata.requests == ["2.root.json", "timestamp.json"])
    }

    @Test(
        "that fails leaves the last trusted state", arguments: ["timestamp.json", "2.snapshot.json", "2.targets.json"])
    func failure(_ missing: String) async throws {
        var repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        try repository.publish("targets", "snapshot", "timestamp")
        let file = repository.metadata[missing]
        repository.metadata[missing] = nil
        for _ in 0..<2 {
            #expect(await client.refresh() == .notFound)
            #expect(client.versions["targets"] == 1)
            let trusted = try client.client().trusted()
            #expect([trusted.timestamp.content.version, trusted.targets.content.version] == [1, 1])
            // A second failed refresh, of an even newer state, must not take away the first state either.
            if missing != "timestamp.json" { try repository.publish("timestamp") }
        }
        repository.metadata[missing] = file
        #expect(await client.refresh() == nil)
        #expect(client.versions["targets"] == 2)
        #expect(try client.client().trusted().targets.content.version == 2)
    }

    @Test("that was interrupted does not bring back an older state after the newer one has expired")
    func expiredTimestamp() async throws {
        var repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        repository.timestamp.expires = FakeRepository.start.adding(days: 2)
        try repository.publish("targets", "snapshot", "timestamp")
        #expect(await client.refresh() == nil)
        #expect(throws: TUFError.self) { try client.client(day: 3).trusted() }
    }

    @Test(
        "replaces damaged files, but not the root",
        arguments: ["timestamp.json", "snapshot.json", "targets.json", "root.json"])
    func damage(_ name: String) async throws {
        let repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        try Data("{".utf8).write(to: URL(filePath: client.folder + "/metadata/" + name))
        #expect(await client.refresh() == (name == "root.json" ? .malformed : nil))
    }

    @Test("follows all roots to the newest, also from an expired one")
    func roots() async throws {
        var repository = try FakeRepository()
        repository.root.expires = FakeRepository.start.adding(days: -100)
        try repository.sign("root")
        let client = try FakeClient(of: repository)
        for scheme in SignatureScheme.allCases {
            let old = repository.signers["root"] ?? []
            let new = [try SecretKey.generate(scheme)]
            try repository.setKeys(of: .root, new)
            repository.signers["root"] = old + new
            try repository.publish("root")
            repository.signers["root"] = new
        }
        #expect(await client.refresh() == .expired)
        repository.root.expires = FakeRepository.start.adding(days: 1)
        try repository.publish("root")
        #expect(await client.refresh() == nil)
        #expect(client.versions["root"] == 5)
    }

    @Test("does not initialize twice, nor without a root")
    func initialization() async throws {
        let repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        #expect(errorCode { try client.client().initialize(root: []) } == .rootPresent)
        try FileManager.default.removeItem(atPath: client.folder + "/metadata/root.json")
        #expect(await client.refresh() == .rootMissing)
        #expect(repository.metadata.requests.isEmpty)
    }

    @Test("removes what a killed process has left")
    func leftovers() async throws {
        let repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        let (old, new) = (client.folder + "/metadata/.old.tmp", client.folder + "/metadata/.new.tmp")
        for path in [old, new] { try Data("x".utf8).write(to: URL(filePath: path)) }
        let date = Date(timeIntervalSinceNow: -7200)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: old)
        #expect(await client.refresh() == nil)
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(FileManager.default.fileExists(atPath: new))
    }

    @Test("waits for another one of the same folder")
    func concurrency() async throws {
        let repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await client.client().refresh() } }
            try await group.waitForAll()
        }
        #expect(client.files.keys.sorted() == ["root.json", "snapshot.json", "targets.json", "timestamp.json"])
    }

    @Test("is not needed for a target that is already there")
    func cachedTarget() async throws {
        var repository = try FakeRepository()
        try repository.addTarget("a", "content")
        try repository.publish("targets", "snapshot", "timestamp")
        let client = try FakeClient(of: repository)
        #expect(try await client.download("a") == "content")
        #expect(try await client.download("a") == "content")
        #expect(repository.targets.requests.count == 1)
        // A file that has been changed is replaced.
        try Data("changed".utf8).write(to: URL(filePath: client.folder + "/targets/a"))
        #expect(try await client.download("a") == "content")
        #expect(repository.targets.requests.count == 2)
    }
}
