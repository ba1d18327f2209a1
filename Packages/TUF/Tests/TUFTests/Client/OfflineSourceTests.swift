import TUF
import TUFMetadata
import Testing

@Suite("Saved metadata alone", .tags(.medium))
struct OfflineSourceTests {
    @Test("is enough for all targets of the roles that were read, and no more")
    func offline() async throws {
        var repository = try FakeRepository()
        try repository.addTarget("top", "1")
        try repository.delegate("a", paths: ["a/*"])
        try repository.delegate("b", paths: ["b/*"])
        try repository.addTarget("a/file", "2", role: "a")
        try repository.addTarget("b/file", "3", role: "b")
        try repository.publish("a", "b", "targets", "snapshot", "timestamp")
        let (client, trusted) = try await FakeClient.refreshed(repository)
        let found = try await client.client().find("a/file", in: trusted)

        let offline = client.client(source: FakeServer())
        #expect(try await offline.find("top", in: offline.trusted())?.role == "targets")
        #expect(try await offline.find("a/file", in: offline.trusted()) == found)
        #expect(await errorCode { try await offline.find("b/file", in: offline.trusted()) } == .notFound)
        #expect(await errorCode { try await offline.refresh() } == .notFound)

        #expect(try await client.client().targets(in: trusted).map(\.path) == ["a/file", "b/file", "top"])
        #expect(try await offline.targets(in: offline.trusted()).map(\.path) == ["a/file", "b/file", "top"])
        let late = client.client(day: 40, source: FakeServer())
        #expect(errorCode { try late.trusted() } == .expired)
    }
}
