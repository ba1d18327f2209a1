import Foundation
import Testing

@Suite("Rules applied to this repository", .tags(.medium))
struct RepositoryTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)

    private static let reading = Task { try await Repository(at: root) }

    @Test("The repository follows every rule", arguments: Rule.all)
    func keeps(_ rule: Rule) async throws {
        for violation in rule.violations(in: try await Self.reading.value) {
            Issue.record("\(violation)")
        }
    }

    @Test("Every package is listed in the table of allowed dependencies, with modules that exist")
    func isInTheTable() async throws {
        let repository = try await Self.reading.value
        for package in repository.packages {
            let layer = try #require(Layer(of: package), "\(package.folder)")
            #expect(Set(layer.modules.map(\.name)).isSubset(of: package.targets.map(\.name)), "\(package.folder)")
        }
        let folders = layers.map(\.folder).filter { !$0.hasPrefix("Plugins/<Name>") }
        #expect(Set(folders).isSubset(of: repository.packages.map(\.folder)))
        #expect(repository.plugins.count >= 2)
    }
}
