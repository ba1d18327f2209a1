import TUF
import TUFMetadata
import Testing

@Suite("The list of all targets", .tags(.medium))
struct TargetListTests {
    /// Returns the listed targets as "path: role", after a check that a search for each of all paths gives the same.
    private func list(
        roles: [String: [String]], _ build: (inout FakeRepository) throws -> Void
    ) async throws -> [String] {
        var repository = try FakeRepository()
        try build(&repository)
        for (role, paths) in roles {
            for path in paths { try repository.addTarget(path, "\(role) \(path)", role: role) }
        }
        for role in repository.roles.keys.sorted() where role != "targets" { try repository.publish(role) }
        try repository.publish("targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        let targets = try await client.client().targets(in: trusted)
        var found: [FoundTarget] = []
        for path in Set(roles.values.flatMap(\.self)).sorted() {
            do throws(TUFError) {
                let target = try await client.client().find(path, in: trusted)
                found += [target].compactMap(\.self)
            } catch {
                guard error.code == .expired else { throw error }
            }
        }
        #expect(targets == found)
        return targets.map { "\($0.path): \($0.role)" }
    }

    @Test("takes the first role that has a target")
    func priority() async throws {
        let targets = try await list(roles: [
            "targets": ["x"], "a": ["x", "y"], "b": ["x", "y", "z"], "c": ["z", "y"],
        ]) {
            try $0.delegate("a")
            try $0.delegate("b")
            try $0.delegate("c", from: "a")
        }
        #expect(targets == ["x: targets", "y: a", "z: c"])
    }

    @Test("respects the scopes along the delegations, so that no role describes targets of others")
    func scopes() async throws {
        let targets = try await list(roles: ["a": ["a/1", "b/1"], "b": ["a/2", "b/2", "a/b"]]) {
            try $0.delegate("a", paths: ["a/*"])
            try $0.delegate("b", from: "a", paths: ["*/b", "b/*"])
        }
        #expect(targets == ["a/1: a", "a/b: b"])
    }

    @Test("respects delegations that are terminating")
    func terminating() async throws {
        let targets = try await list(roles: ["a": ["a/1"], "b": ["a/1", "a/2", "b/2"]]) {
            try $0.delegate("a", paths: ["a/*"], isTerminating: true)
            try $0.delegate("b", paths: ["*/*"])
        }
        #expect(targets == ["a/1: a", "b/2: b"])
    }

    @Test("has roles in a cycle, and one that two others lead to")
    func cycle() async throws {
        let targets = try await list(roles: ["a": ["1"], "b": ["2"], "shared": ["3"]]) {
            try $0.delegate("a")
            try $0.delegate("b", from: "a")
            try $0.delegate("a", from: "b")
        }
        #expect(targets == ["1: a", "2: b"])
    }

    @Test("leaves out the targets whose search meets a role that has expired")
    func expired() async throws {
        let targets = try await list(roles: ["a": ["a/1"], "b": ["a/1", "a/2", "b/1"], "targets": ["a/3"]]) {
            try $0.delegate("a", paths: ["a/*"])
            try $0.delegate("b", paths: ["*/*"])
            $0.roles["a"]?.expires = FakeRepository.start
        }
        #expect(targets == ["a/3: targets", "b/1: b"])
    }

    @Test("is not made from a role that is not signed or cannot be read")
    func unreadable() async throws {
        var repository = try FakeRepository()
        try repository.delegate("a")
        try repository.publish("a", "targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        repository.metadata["1.a.json"] = nil
        #expect(await errorCode { try await client.client().targets(in: trusted) } == .notFound)
        repository.signers["a"] = [try SecretKey.generate(.ed25519)]
        try repository.publish("a", "snapshot", "timestamp")
        let next = try await client.client().refresh()
        #expect(await errorCode { try await client.client().targets(in: next) } == .notSigned)
    }

    @Test("is not made of more roles than the limit")
    func limit() async throws {
        var repository = try FakeRepository()
        for name in ["a", "b", "c"] {
            try repository.delegate(name)
            try repository.publish(name)
        }
        try repository.publish("targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        var limits = ClientLimits()
        limits.listedRoles = 2
        #expect(await errorCode { try await client.client(limits: limits).targets(in: trusted) } == .tooManyRoles)
    }

    @Test("and searches may be made at the same time")
    func concurrency() async throws {
        var repository = try FakeRepository()
        for index in 0..<8 {
            try repository.delegate("r\(index)", paths: ["\(index)/*"])
            try repository.addTarget("\(index)/file", "\(index)", role: "r\(index)")
            try repository.publish("r\(index)")
        }
        try repository.publish("targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<32 {
                group.addTask {
                    let found = try await client.client().find("\(index % 8)/file", in: trusted)
                    #expect(found?.role == "r\(index % 8)")
                }
            }
            group.addTask {
                let count = try await client.client().targets(in: trusted).count
                #expect(count == 8)
            }
            try await group.waitForAll()
        }
    }

    @Test("leads to addresses of files, with hashes if snapshots are consistent", arguments: [true, false])
    func addresses(_ isConsistent: Bool) async throws {
        var repository = try FakeRepository()
        repository.root.isConsistent = isConsistent
        try repository.addTarget("dir/a b", "content")
        repository.roles["targets"]?["../x"] = try TargetFile(of: [0x61])
        try repository.publish("root", "targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        let target = try #require(try await client.client().find("dir/a b", in: trusted))
        let digest = try HashAlgorithm.sha256.digest(of: Array("content".utf8))
        let path = isConsistent ? "dir/\(digest).a%20b" : "dir/a%20b"
        #expect(try trusted.path(of: target) == path)
        for base in ["http://x/targets", "http://x/targets/"] {
            #expect(try trusted.address(of: target, base: base) == "http://x/targets/" + path)
        }
        let unsafe = try #require(try await client.client().find("../x", in: trusted))
        #expect(errorCode { try trusted.address(of: unsafe, base: "http://x/") } == .targetNameUnsafe)
    }
}
