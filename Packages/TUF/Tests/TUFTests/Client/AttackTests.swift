import HostSystem
import TUF
import TUFMetadata
import Testing

/// The attacks in the table of the module's page.
@Suite("A client is not deceived by", .tags(.medium))
struct AttackTests {
    @Test("files that the owners did not sign", arguments: ["root", "timestamp", "snapshot", "targets"])
    func arbitrarySoftware(_ role: String) async throws {
        var repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        let before = client.versions
        repository.signers[role] = [try SecretKey.generate(.ed25519)]
        try repository.publish("root", "targets", "snapshot", "timestamp")
        #expect(await client.refresh() == .notSigned)
        #expect(client.versions[role] == before[role])
        // Everything before the wrong file was accepted, everything after it was not even read.
        let order = ["root", "timestamp", "snapshot", "targets"]
        for (index, name) in order.enumerated() where name != role {
            #expect(client.versions[name] == (index < order.firstIndex(of: role) ?? 0 ? 2 : 1))
        }
    }

    @Test("a first root that is damaged or not signed, for which no request is made")
    func wrongFirstRoot() async throws {
        let repository = try FakeRepository()
        let root = try SignedMetadata(repository.root)
        for bytes in [Array("{}".utf8), [], root.bytes, try root.signed(by: [SecretKey.generate(.ed25519)]).bytes] {
            let client = try FakeClient(of: repository, root: bytes)
            repository.metadata.forgetRequests()
            #expect(await client.refresh() != nil)
            #expect(repository.metadata.requests.isEmpty)
        }
    }

    @Test("a root that skips a version, or that one of both sets of keys did not sign")
    func rootChain() async throws {
        for wrong in 0..<3 {
            var repository = try FakeRepository()
            let client = try FakeClient(of: repository)
            let old = repository.signers["root"] ?? []
            let new = [try SecretKey.generate(.ed25519)]
            try repository.setKeys(of: .root, new)
            switch wrong {
            case 0: repository.signers["root"] = old
            case 1: repository.signers["root"] = new
            default:
                repository.signers["root"] = old + new
                repository.root.version = 3
                let bytes = try SignedMetadata(repository.root).signed(by: old + new).bytes
                repository.metadata["2.root.json"] = bytes
            }
            if wrong < 2 { try repository.publish("root") }
            #expect(await client.refresh() == (wrong < 2 ? .notSigned : .versionMismatch))
            #expect(client.versions["root"] == 1)
        }
    }

    @Test(
        "files without an end", arguments: ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json", "a"])
    func endlessData(_ name: String) async throws {
        var repository = try FakeRepository()
        repository.hasHashes = name == "1.targets.json"
        try repository.addTarget("a", "content")
        for role in ["targets", "snapshot", "timestamp"] { try repository.sign(role) }
        let client = try FakeClient(of: repository)
        if name == "2.root.json" { repository.metadata[name] = [0x20] }
        let endless = EndlessSource(base: name == "a" ? repository.targets : repository.metadata, name: name)
        let metadata: any RepositorySource = name == "a" ? repository.metadata : endless
        let real = TUFClient(folder: client.folder + "/metadata", metadata: metadata, targets: endless) {
            FakeRepository.start
        }
        let error = await #expect(throws: TUFError.self) {
            let trusted = try await real.refresh()
            let target = try #require(try await real.find("a", in: trusted))
            try await real.download(target, in: trusted, to: client.folder + "/a")
        }
        #expect(error?.code == .tooLong)
    }

    @Test("metadata that has expired", arguments: ["root", "timestamp", "snapshot", "targets"])
    func freeze(_ role: String) async throws {
        var repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        repository.setExpiry(FakeRepository.start, of: role)
        try repository.publish("root", "targets", "snapshot", "timestamp")
        #expect(await client.refresh() == .expired)
        // A root is accepted before its expiry counts, so that the next one can be trusted.
        #expect(client.versions[role] == (role == "root" ? 2 : 1))
        repository.setExpiry(FakeRepository.start.adding(days: 30), of: role)
        try repository.publish("root", "targets", "snapshot", "timestamp")
        #expect(await client.refresh() == nil)
    }

    @Test("the same timestamp for ever")
    func sameTimestamp() async throws {
        let repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        #expect(await client.refresh(day: 29) == nil)
        #expect(await client.refresh(day: 30) == .expired)
        #expect(throws: TUFError.self) { try client.client(day: 30).trusted() }
        _ = try client.client(day: 29).trusted()
    }

    @Test("older files", arguments: ["timestamp", "snapshot", "targets"], [false, true])
    func rollback(_ role: String, _ hasHashes: Bool) async throws {
        var repository = try FakeRepository()
        repository.hasHashes = hasHashes
        let client = try FakeClient(of: repository)
        try repository.publish("targets", "snapshot", "timestamp")
        #expect(await client.refresh() == nil)
        repository[version: role] = 1
        try repository.sign(role)
        if role == "targets" { try repository.publish("snapshot") }
        if role != "timestamp" { try repository.publish("timestamp") }
        #expect(await client.refresh() == .rollback)
        #expect(client.versions[role] == 2)
        #expect(client.versions["snapshot"] == 2)
        // The last trusted state is still there.
        if role != "targets" { _ = try client.client().trusted() }
    }

    @Test("a snapshot that does not list a role anymore")
    func removedRole() async throws {
        var repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        try repository.delegate("a")
        try repository.publish("a", "targets", "snapshot", "timestamp")
        #expect(await client.refresh() == nil)
        repository.snapshot["a"] = nil
        try repository.publish("snapshot", "timestamp")
        #expect(await client.refresh() == .rollback)
    }

    @Test("very high versions, after the owner has replaced the key", arguments: ["timestamp", "snapshot", "targets"])
    func fastForwardRecovery(_ role: String) async throws {
        var repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        repository[version: role] = 1_000_000
        for name in ["targets", "snapshot", "timestamp"] { try repository.publish(name) }
        #expect(await client.refresh() == nil)
        // One of the two keys stays, so that the old files would still be valid.
        let stays = try SecretKey.generate(.ed25519)
        for name in [TopLevelRole.timestamp, .snapshot] {
            let old = repository.signers[name.rawValue] ?? []
            try repository.setKeys(of: name, old + [stays])
        }
        try repository.publish("root", "snapshot", "timestamp")
        #expect(await client.refresh() == nil)
        for name in [TopLevelRole.timestamp, .snapshot] { try repository.setKeys(of: name, [stays]) }
        for name in ["targets", "snapshot", "timestamp"] {
            repository[version: name] = 5
            try repository.publish(name)
        }
        try repository.publish("root")
        #expect(await client.refresh() == nil)
        #expect(client.versions == ["root": 3, "timestamp": 6, "snapshot": 6, "targets": 6])
    }

    @Test("a mix of files of different times")
    func mixAndMatch() async throws {
        var repository = try FakeRepository()
        repository.hasHashes = true
        let client = try FakeClient(of: repository)
        try repository.publish("targets", "snapshot", "timestamp")
        // Another file with the right version and signature, but not the one in the snapshot.
        let original = repository.metadata["2.targets.json"]
        try repository.addTarget("a", "other")
        let other = try SignedMetadata(try #require(repository.roles["targets"])).signed(
            by: repository.signers["targets"] ?? [])
        repository.metadata["2.targets.json"] = other.bytes
        #expect([.hashMismatch, .tooLong, .tooShort].contains(await client.refresh()))
        repository.metadata["2.targets.json"] = (original ?? []) + [0x20]
        #expect(await client.refresh() == .tooLong)
        repository.metadata["2.targets.json"] = original
        #expect(await client.refresh() == nil)
        // A snapshot with another version than its name.
        repository.metadata["3.snapshot.json"] = repository.metadata["2.snapshot.json"]
        repository.timestamp.snapshot = FileDescription(version: 3)
        try repository.publish("timestamp")
        #expect(await client.refresh() == .versionMismatch)
    }

    @Test("a timestamp with the same version and another content")
    func sameVersion() async throws {
        var repository = try FakeRepository()
        let (client, _) = try await FakeClient.refreshed(repository)
        let saved = client.files
        repository.timestamp.snapshot = FileDescription(version: 100)
        try repository.sign("timestamp")
        #expect(await client.refresh() == nil)
        #expect(client.files == saved)
    }

    @Test("a file of another role")
    func otherRole() async throws {
        var repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        repository.signers["snapshot"] = repository.signers["timestamp"]
        repository.snapshot["snapshot"] = FileDescription(version: 1)
        repository.metadata["timestamp.json"] = try SignedMetadata(repository.snapshot).signed(
            by: repository.signers["timestamp"] ?? []
        ).bytes
        #expect(await client.refresh() == .wrongRole)
    }

    @Test("a target that is not the described one", arguments: ["other!!", "conten", "content and more", ""])
    func wrongTarget(_ content: String) async throws {
        var repository = try FakeRepository()
        try repository.addTarget("dir/a", "content")
        try repository.publish("targets", "snapshot", "timestamp")
        let client = try FakeClient(of: repository)
        let name = try #require(repository.targets.files.keys.first)
        repository.targets[name] = Array(content.utf8)
        await #expect(throws: TUFError.self) { try await client.download("dir/a") }
        let left = try? await client.download("dir/a")
        #expect(left == nil)
        repository.targets[name] = Array("content".utf8)
        #expect(try await client.download("dir/a") == "content")
    }

    @Test("a target with hashes of unknown algorithms alone")
    func unknownHash() async throws {
        var repository = try FakeRepository()
        repository.roles["targets"]?["a"] = TargetFile(length: 1, hashes: Hashes([:]))
        // Hashes must not be empty, so the file is changed by hand.
        let text = String(
            decoding: JSONValue.object(try #require(repository.roles["targets"]).json).text, as: UTF8.self
        )
        .replacing(#""hashes":{}"#, with: #""hashes":{"md5":"00"}"#)
        let signed = try JSONValue(parsing: Array(text.utf8))
        let key = try #require(repository.signers["targets"]?.first)
        let signature = try key.signature(of: signed.canonical)
        let file: JSONValue = [
            "signed": signed, "signatures": [["keyid": .string(signature.keyID), "sig": .string(signature.text)]],
        ]
        repository.metadata["1.targets.json"] = file.text
        repository.targets["a"] = [0x61]
        let client = try FakeClient(of: repository)
        #expect(await errorCode { try await client.download("a") } == .hashMismatch)
    }

    @Test("names that lead elsewhere", arguments: ["../x", "/x", "a/../../x", "x/.", "?", "#", "%2e%2e%2fx", "root"])
    func unsafeNames(_ name: String) async throws {
        var repository = try FakeRepository()
        if name != "root" {
            try repository.delegate(name)
            try repository.publish(name, "targets", "snapshot", "timestamp")
        }
        let client = try FakeClient(of: repository)
        #expect(try await client.download("missing") == nil)
        let allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%"
        #expect(client.files.keys.allSatisfy { $0.allSatisfy(allowed.contains) && $0.hasSuffix(".json") })
        #expect(client.files.count == (name == "root" ? 4 : 5))

        repository.roles["targets"]?[name] = try TargetFile(of: [0x61])
        try repository.publish("targets", "snapshot", "timestamp")
        let isUnsafe = ["../x", "/x", "a/../../x", "x/."].contains(name)
        repository.targets.forgetRequests()
        #expect(await errorCode { try await client.download(name) } == (isUnsafe ? .targetNameUnsafe : .notFound))
        #expect(repository.targets.requests.count == (isUnsafe ? 0 : 1))
    }

    @Test("metadata that is longer than any may be, by the description of a stolen key")
    func describedLength() async throws {
        var repository = try FakeRepository()
        repository.hasHashes = true
        let (client, _) = try await FakeClient.refreshed(repository)
        try repository.publish("snapshot", "timestamp")
        var limits = ClientLimits()
        limits.describedLength = 100
        #expect(await client.refresh(limits: limits) == .tooLong)
        #expect(await client.refresh() == nil)
    }

    @Test("countless new roots")
    func manyRoots() async throws {
        var repository = try FakeRepository()
        let client = try FakeClient(of: repository)
        for _ in 0..<20 { try repository.publish("root") }
        var limits = ClientLimits()
        limits.rootRotations = 8
        #expect(await client.refresh(limits: limits) == nil)
        #expect(client.versions["root"] == 9)
        #expect(await client.refresh() == nil)
        #expect(client.versions["root"] == 21)
    }
}

/// A source of which one file never ends.
private struct EndlessSource: RepositorySource {
    let base: FakeServer
    let name: String

    func read(_ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) async throws(TUFError) {
        try await base.read(path) {
            _ = receive($0); return true
        }
        guard path.hasSuffix(name) else { return }
        let noise = [UInt8](repeating: 0x20, count: 1 << 16)
        while noise.withUnsafeBytes(receive) {}
    }
}
