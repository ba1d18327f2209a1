import Foundation
import Testing

@Suite("Rules applied to a small repository with planted violations", .tags(.medium))
struct PlantedTests {
    @Test("The unchanged repository violates no rule")
    func isFaultless() async throws {
        let repository = try await FixtureRepository.faultless.read()
        #expect(Rule.all.flatMap { $0.violations(in: repository) }.map(\.description) == [])
    }

    @Test("A violation is planted for each rule")
    func coversEachRule() {
        #expect(Set(PlantedViolation.all.map(\.rule.name)) == Set(Rule.all.map(\.name)))
    }

    @Test("A planted violation is found by one rule at the expected place", arguments: PlantedViolation.all)
    func isFound(_ violation: PlantedViolation) async throws {
        var tiny = FixtureRepository.faultless
        for edit in violation.edits { try tiny.apply(edit) }
        let repository = try await tiny.read()
        let violations = Rule.all.flatMap { $0.violations(in: repository) }
        #expect(Set(violations.map(\.rule)) == [violation.rule.name], "\(violations)")
        let found = violations.contains {
            $0.description.hasPrefix(violation.place + ":") && $0.description.contains(violation.says)
        }
        #expect(found, "\(violations)")
    }

    @Test("A forbidden module behind a product with an innocent name is found")
    func looksBehindProducts() async throws {
        var tiny = FixtureRepository.faultless
        try tiny.apply(
            .replace(
                "Plugins/Alpha/Package.swift", #"targets: ["AlphaInterface"]"#,
                with: #"targets: ["AlphaInterface", "Alpha"]"#))
        let repository = try await tiny.read()
        let apart = Rule.pluginsApart.violations(in: repository).map(\.description)
        #expect(apart.count == 1)
        #expect(apart.first?.contains("Beta depends on Alpha (in product AlphaInterface)") == true)
        #expect(Rule.linkage.violations(in: repository).count == 1)
    }
}
