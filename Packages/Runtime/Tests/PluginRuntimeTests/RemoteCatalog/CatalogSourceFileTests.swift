import PluginCore
@testable import RemoteCatalog
import Testing

@Suite("The list of a sandbox's catalogs", .tags(.small), .timeLimit(.minutes(1)))
struct CatalogSourceFileTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    private static func source(_ name: String) throws -> CatalogSource {
        CatalogSource(name: name, address: try #require(CatalogAddress("https://\(name).example.org")))
    }

    @Test("Changes that are made at the same time are all written")
    func concurrent() async throws {
        let names = (0..<16).map { "catalog-\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask { try CatalogSourceFile(catalogs: folder).change { try $0.append(Self.source(name)) } }
            }
            try await group.waitForAll()
        }
        #expect(try CatalogSourceFile(catalogs: folder).read().map(\.name).sorted() == names.sorted())
    }

    @Test("A change that fails writes nothing")
    func failed() throws {
        let file = CatalogSourceFile(catalogs: folder)
        try file.change { try $0.append(Self.source("company")) }
        #expect(throws: CancellationError.self) {
            try file.change { sources in
                sources = []
                throw CancellationError()
            }
        }
        #expect(try file.read().map(\.name) == ["company"])
    }

    @Test("Processes that choose the name of an installation at the same time agree")
    func installation() async throws {
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try Installation(file: folder.appending("new/installation")).name() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }
}
