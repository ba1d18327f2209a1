import PluginCore
import SQLite
import Testing

@testable import Registry
@testable import HostSystem
@testable import PluginRuntime

@Suite("Opening the registry", .tags(.medium))
struct RegistryOpeningTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("The registry's identity is that of the opened file even if another file replaces it meanwhile")
    func replaced() throws {
        try withFolderNow { folder in
            let (path, next) = (folder.appending("registry"), folder.appending("next"))
            try path.write("old")
            var openings = 0
            let (text, file) = try Registry.open(
                {
                    let text = try path.text
                    openings += 1
                    if openings == 1 {
                        try next.write("new")
                        try FileSystem.rename(next, to: path)
                    }
                    return text
                }, seeing: { try FileStamp(ofFile: path)?.file })
            #expect(text == "new")
            #expect(try file == FileStamp(ofFile: path)?.file)
            #expect(openings == 2)
        }
    }

    @Test("Opening a registry fails after a bounded number of attempts if it is replaced again and again")
    func restless() throws {
        var number: UInt64 = 0
        try failing(.sandboxBusy) {
            try Registry.open(
                {},
                seeing: {
                    number += 1
                    return FileStamp.File(device: 1, inode: number)
                })
        }
        #expect(number < 100)
    }

    @Test("Reading staged versions doesn't scan the table of all versions")
    func staged() async throws {
        try await host.install(SamplePackage())
        let database = try Database(path: host.sandbox.registry.string)
        let plan = try database.query("EXPLAIN QUERY PLAN " + StagedTable.selectAll) { row in
            try row["detail", as: String.self]
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH bundle ") } && !plan.contains { $0.hasPrefix("SCAN bundle") })
    }

    @Test("The registry counts as damaged only if a second connection confirms it, except in a transaction")
    func twice() async throws {
        try await host.install(SamplePackage())
        // They are kept, so that no connection has the address of another.
        var asked: [Database] = []
        func ask(failing times: Int) throws -> Int? {
            try host.registry.read { database in
                asked.append(database)
                if asked.count <= times { throw AtriumError(.registryDamaged, "") }
                return try database.value("SELECT count(*) FROM active", as: Int.self) ?? 0
            }
        }
        #expect(try ask(failing: 1) == 1)
        #expect(asked.count == 2 && asked[0] !== asked[1])
        #expect(throws: AtriumError.self) { try ask(failing: .max) }
        #expect(asked.count == 4)
        // A second connection couldn't see the state of the transaction.
        #expect(throws: AtriumError.self) { try host.registry.write { _ in _ = try ask(failing: .max) } }
        #expect(asked.count == 5)
    }
}
