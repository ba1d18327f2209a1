import PluginCore
import Testing

@Suite("App groups of a bundle", .tags(.small))
struct AppGroupTests {
    /// A storage that accepts every path.
    private struct Storage: AppGroupStorage {
        struct Used: Error, Equatable {
            let path: [String]
        }

        let root: FilePath = "/groups/one"
        var defaults: any DefaultsStore { preconditionFailure("not used") }

        func read(_ path: [String]) throws -> [UInt8]? { throw Used(path: path) }
        func write(_ bytes: [UInt8], to path: [String]) throws { throw Used(path: path) }
        func change(_ path: [String], _ body: (inout [UInt8]?) throws -> Void) throws { throw Used(path: path) }
        func changes() -> AsyncStream<AppGroupChange> { AsyncStream { nil } }
        func endObservation() {}
        func database(named name: String) throws -> FilePath { root.appending(name) }
    }

    private static let groups = ["group.com.example.one", "group.com.example.two"].map {
        AppGroup($0, storage: Storage())
    }

    @Test("An undeclared group is refused, and the error names the declared ones")
    func undeclared() throws {
        let context = BundleContext.forTests(groups: Self.groups)
        #expect(try context.appGroup("group.com.example.one").documents == "/groups/one/Documents")
        let error = #expect(throws: AtriumError.self) { try context.appGroup("group.com.example.three") }
        #expect(error?.code == .groupUndeclared && error?.subject == "group.com.example.three")
        #expect(error?.nearest == Self.groups.map(\.name))
        #expect(throws: AtriumError.self) { try BundleContext.forTests().appGroup("group.com.example.one") }
    }

    @Test(
        "A name that could leave the group's folder is refused before the file system sees it",
        arguments: [
            "", "/etc/passwd", "..", "../other", "a/../../b", "a//b", "a/", ".", "./a", ".hidden", "a/.b.new", "a\0b",
            "a\nb",
            "1/2/3/4/5/6/7/8/9", String(repeating: "a", count: 201),
        ])
    func names(name: String) throws {
        let group = try #require(Self.groups.first)
        let attempts: [() throws -> Void] = [
            { _ = try group.read(name) }, { try group.write([], to: name) }, { try group.change(name) { _ in } },
            { _ = try group.database(named: name) },
        ]
        for attempt in attempts {
            #expect(errorCode { try attempt() } == .groupFileInvalid)
        }
    }

    @Test("A name and a relative path are accepted, and a database has no path")
    func paths() throws {
        let group = try #require(Self.groups.first)
        let used = #expect(throws: Storage.Used.self) { try group.read("notes/é .. ~.txt") }
        #expect(used == Storage.Used(path: ["notes", "é .. ~.txt"]))
        #expect(try group.database(named: "stocks").path == "/groups/one/stocks")
        #expect(throws: AtriumError.self) { try group.database(named: "a/b") }
    }
}
