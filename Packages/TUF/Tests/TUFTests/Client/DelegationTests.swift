import TUF
import TUFMetadata
import Testing

@Suite("Delegations", .tags(.medium))
struct DelegationTests {
    /// Returns the roles that a search for a missing target reads, in order.
    private func visited(_ path: String = "missing", _ build: (inout FakeRepository) throws -> Void) async throws
        -> [String]
    {
        var repository = try FakeRepository()
        try build(&repository)
        for role in repository.roles.keys.sorted() where role != "targets" { try repository.publish(role) }
        try repository.publish("targets", "snapshot", "timestamp")
        let (client, _) = try await FakeClient.refreshed(repository)
        repository.metadata.forgetRequests()
        #expect(try await client.client().find(path, in: client.client().trusted()) == nil)
        return repository.metadata.requests.map { String($0.dropFirst(2).dropLast(5)) }
    }

    @Test("are searched in order, each role before its own")
    func order() async throws {
        let roles = try await visited {
            try $0.delegate("a")
            try $0.delegate("b")
            try $0.delegate("c", from: "a")
            try $0.delegate("d", from: "c")
            try $0.delegate("e", from: "a")
        }
        #expect(roles == ["a", "c", "d", "e", "b"])
    }

    @Test("that are terminating end the search after their own")
    func terminating() async throws {
        let roles = try await visited {
            try $0.delegate("a")
            try $0.delegate("b")
            try $0.delegate("c", from: "a", isTerminating: true)
            try $0.delegate("d", from: "a")
            try $0.delegate("e", from: "c")
        }
        #expect(roles == ["a", "c", "e"])
    }

    @Test("are searched up to a limit")
    func limit() async throws {
        let roles = try await visited {
            var delegator = "targets"
            for index in 0..<40 {
                try $0.delegate("r\(index)", from: delegator)
                delegator = "r\(index)"
            }
        }
        #expect(roles.count == 31)
    }

    @Test("of one role by two others are verified by the keys of each")
    func diamond() async throws {
        var repository = try FakeRepository()
        try repository.delegate("parent-a", paths: ["a/*"])
        try repository.delegate("parent-b", paths: ["b/*"])
        try repository.delegate("shared", from: "parent-a", paths: ["a/*"])
        try repository.delegate("shared", from: "parent-b", paths: ["b/*"])
        // Only the key that the first parent names has signed.
        repository.signers["shared"]?.removeLast()
        try repository.addTarget("a/file", "trusted", role: "shared")
        try repository.addTarget("b/file", "malicious", role: "shared")
        try repository.publish("shared", "parent-a", "parent-b", "targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        #expect(try await client.client().find("a/file", in: trusted)?.role == "shared")
        #expect(await errorCode { try await client.client().find("b/file", in: trusted) } == .notSigned)
    }

    @Test("to a role that the snapshot does not list end the search without a request")
    func notInSnapshot() async throws {
        var repository = try FakeRepository()
        try repository.delegate("a")
        try repository.publish("a", "targets")
        repository.snapshot["a"] = nil
        try repository.publish("snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        repository.metadata.forgetRequests()
        #expect(await errorCode { try await client.client().find("x", in: trusted) } == .roleUnknown)
        #expect(repository.metadata.requests.isEmpty)
    }

    @Test("to a role whose metadata has expired end the search")
    func expired() async throws {
        var repository = try FakeRepository()
        try repository.delegate("a")
        repository.roles["a"]?.expires = FakeRepository.start
        try repository.publish("a", "targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        #expect(await errorCode { try await client.client().find("x", in: trusted) } == .expired)
        #expect(client.versions["a"] == nil)
    }
}
