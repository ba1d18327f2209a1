extension Rule {
    /// That the root declares the tests of every package is checked by `RepositoryTests.isReadWhole`.
    static let rootTests = Rule("no package but the root declares tests") { repository in
        repository.packages.filter(\.isProduct).flatMap { package in
            package.targets.filter { $0.kind == .test && $0.manifest?.path == package.manifest.path }.map { tests in
                package.manifest.finding(
                    at: package.manifest.line(of: tests.name),
                    "test target \(tests.name) is declared here; allowed: in Package.swift of the root")
            }
        }
    }

    private static let sizes: Set = ["small", "medium", "large"]

    static let sizeTags = Rule("every suite of tests has one size tag") { repository in
        repository.packages.flatMap(\.targets).filter { $0.kind == .test }.flatMap(\.sources).flatMap { source in
            suites(in: source) + testsBeforeSuites(in: source)
        }
    }

    private static func suites(in source: SourceFile) -> [Finding] {
        let tokens = source.tokens
        return tokens.indices.compactMap { index in
            guard tokens.reads("@", "Suite", at: index) else { return nil }
            let tags = tokens.contents(ofBracketAt: index + 2).filter { $0.kind == .word && sizes.contains($0.text) }
            guard tags.count != 1 else { return nil }
            return source.finding(
                at: tokens[index].line,
                tags.isEmpty
                    ? "a suite without a size; allowed: .tags(.small), .tags(.medium) or .tags(.large)"
                    : "a suite with \(tags.count) sizes; allowed: one")
        }
    }

    /// Finds a test above the first suite of its file, which therefore has no tag.
    private static func testsBeforeSuites(in source: SourceFile) -> [Finding] {
        let tokens = source.tokens
        let attribute = tokens.indices.first { tokens.reads("@", "Test", at: $0) || tokens.reads("@", "Suite", at: $0) }
        guard let attribute, tokens.reads("@", "Test", at: attribute) else { return [] }
        return [
            source.finding(
                at: tokens[attribute].line, "a test outside of a suite; allowed: in a type with @Suite and a size tag")
        ]
    }
}
