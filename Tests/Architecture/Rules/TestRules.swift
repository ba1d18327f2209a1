extension Rule {
    static let rootTests = Rule("the root, and no other package, declares the tests of every package") { repository in
        let declared = Set(repository.packages.flatMap(\.targets).filter { $0.kind == .test }.map(\.folder))
        return repository.packages.filter(\.isProduct).flatMap { package -> [Finding] in
            let own = package.targets.filter { $0.kind == .test && $0.manifest?.path == package.manifest.path }
            let folder = package.folder + "/Tests"
            let missing = repository.paths.filter { path in
                path.hasSuffix("Tests") && RelativePath.join(path, "..") == folder && !declared.contains(path)
            }
            return own.map { tests in
                package.manifest.finding(
                    at: package.manifest.line(ofTarget: tests.name),
                    "test target \(tests.name) is declared here; allowed: in Package.swift of the root")
            }
                + missing.sorted().map { path in
                    Finding(
                        file: path, line: 1,
                        message: "is not declared in Package.swift of the root, whose tests Scripts/test runs")
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
            guard tokens[index].isSymbol("@"), index + 1 < tokens.count, tokens[index + 1].isWord("Suite") else {
                return nil
            }
            let tags = arguments(after: index + 1, in: tokens).filter { $0.kind == .word && sizes.contains($0.text) }
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
        let attribute = tokens.indices.dropFirst().first { index in
            tokens[index - 1].isSymbol("@") && (tokens[index].isWord("Test") || tokens[index].isWord("Suite"))
        }
        guard let attribute, tokens[attribute].isWord("Test") else { return [] }
        return [
            source.finding(
                at: tokens[attribute].line, "a test outside of a suite; allowed: in a type with @Suite and a size tag")
        ]
    }

    /// Returns the tokens between the parentheses that follow a token.
    private static func arguments(after index: Int, in tokens: [Token]) -> ArraySlice<Token> {
        guard index + 1 < tokens.count, tokens[index + 1].isSymbol("(") else { return [] }
        var depth = 0
        for end in (index + 1)..<tokens.count {
            if tokens[end].isSymbol("(") { depth += 1 }
            if tokens[end].isSymbol(")") { depth -= 1 }
            if depth == 0 { return tokens[(index + 2)..<end] }
        }
        return []
    }
}
