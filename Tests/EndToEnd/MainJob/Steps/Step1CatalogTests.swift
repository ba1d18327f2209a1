import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 1: the catalog", .tags(.large))
    struct CatalogTests {
        @Test("The catalog lists name, identifier, version, size and state, the newest version first")
        func text() async throws {
            let fixture = try Scene()
            let lines = try await fixture.run("catalog").lines
            let words = lines.map { $0.split(separator: " ").map(String.init) }
            #expect(words.first == ["NAME", "IDENTIFIER", "VERSION", "SIZE", "INSTALLED"])
            // The size between version and state consists of a number and a unit.
            #expect(
                words.dropFirst().map { $0.prefix(3) + $0.suffix(1) } == [
                    ["Account", account, "1.0.0", "no"], ["Notes", "com.example.app.notes", "1.0.0", "no"],
                    ["Orders", orders, "1.0.0", "no"], ["Photos", "com.example.app.photos", "1.0.0", "no"],
                    ["Shop", shop, "1.1.0", "no"], ["Shop", shop, "1.0.0", "no"],
                    ["Stocks", "com.example.app.stocks", "1.0.0", "no"],
                    ["Lantern", lantern, "1.0.0", "no"], ["Money", money, "1.1.0", "no"],
                    ["Money", money, "1.0.0", "no"],
                ])
            for line in words.dropFirst() { #expect(line.count == 6 && Double(line[3]) != nil && line[4] == "kB") }
            #expect(try fixture.sandbox.tree().isEmpty, "looking must not make a sandbox")
        }

        @Test("The catalog as JSON has each package with its kind and its size in bytes")
        func json() async throws {
            let fixture = try Scene()
            let catalog = try await fixture.answer("catalog")
            let packages = catalog.packages.elements
            let kinds = Set(packages.map { "\($0.name) \($0.kind)" })
            #expect(kinds.isSuperset(of: ["Shop app", "Lantern assets", "Money lib"]))
            #expect(packages.allSatisfy { $0.installed == false } && catalog.problems == [])
            let files = try FileTree(of: fixture.host.catalog)
            for package in packages {
                let node = files.nodes["\(package.identifier)-\(package.version).zip"]
                if case .file(_, let size, _)? = node, package.size == .number(Double(size)) { continue }
                Issue.record("\(package.identifier) is not in the build's catalog with this size")
            }
        }
    }
}
