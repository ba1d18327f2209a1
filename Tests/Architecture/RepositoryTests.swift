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

    @Test("The rules see every source file of packages, plugins, the host and tests; samples are projects apart")
    func isReadWhole() async throws {
        let repository = try await Self.reading.value
        let read = Set(repository.packages.flatMap(\.targets).flatMap(\.sources).map(\.path))
        let compiled = repository.paths.filter { path in
            let isSource = [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
            return isSource && (path.contains("/Sources/") || path.contains("Tests/")) && !path.contains("/Fixtures/")
                && !path.hasPrefix("Samples/")
        }
        let unread = compiled.filter { !read.contains($0) }
        #expect(compiled.count > 1000 && unread.isEmpty, "\(unread)")
    }

    @Test("Each part of the minimal sample says where the product does the same")
    func sampleLeadsToTheProduct() throws {
        let sample = Self.root + "Samples/Minimal/"
        let files = try FileManager.default.subpathsOfDirectory(atPath: sample).filter {
            $0.hasSuffix(".swift") && !["Package.swift", "Tests/", ".build/"].contains(where: $0.contains)
        }
        #expect(files.count > 5)
        for file in files {
            let text = try String(contentsOfFile: sample + file, encoding: .utf8).replacing("\n// ", with: " ")
            let places = try #require(text.firstMatch(of: /In the product: (.+?)\. It adds .+\.\n$/), "\(file)").1
            for place in places.split(separator: ", ") {
                #expect(FileManager.default.fileExists(atPath: Self.root + place), "\(file): \(place)")
            }
        }
    }
}
