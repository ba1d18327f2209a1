extension Rule {
    private static let lengths = ["README.md": 120, "ARCHITECTURE.md": 180]

    static let shortPages = Rule("the first pages stay short") { repository in
        repository.pages.compactMap { page in
            let count = page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count
            guard let limit = lengths[page.path], count > limit else { return nil }
            return page.finding(at: count, "has \(count) lines; allowed: \(limit)")
        }
    }

    static let links = Rule("links and paths in pages lead to files that exist") { repository in
        repository.pages.filter(\.isMarkdown).flatMap { page in
            page.lines.flatMap { number, line -> [Finding] in
                let links = line.matches(of: /\]\(([^)#:\s]+)(?:#[^)]*)?\)/)
                    .map { RelativePath.join(page.folder, String($0.output.1)) }
                let paths = line.matches(
                    of: /`((?:Packages|Plugins|HostApp|Samples|Tests|Scripts|Documentation)(?:\/[A-Za-z0-9_.+-]+)*)\/?`/
                ).map { String($0.output.1) }
                return (links + paths).filter { !repository.paths.contains($0) }.map {
                    page.finding(at: number, "there is no \($0)")
                }
            }
        }
    }

    /// Names of types that are declared elsewhere: in Swift, in examples, or in other products.
    private static let foreign: Set = [
        "Atrium", "AtomicLazyReference", "Codable", "Decodable", "FileHandle", "Hello", "Int", "String",
        "LocalizedError",
        "Greeting", "GreetingKit", "Mutex",
    ]

    static let names = Rule("types and files that the project's pages name exist") { repository in
        let sources = repository.packages.flatMap(\.targets).flatMap(\.sources)
        let types = Set(sources.flatMap(\.types).map(\.name)).union(repository.packages.flatMap(\.targets).map(\.name))
            .union(foreign)
        let files = Set(repository.paths.map { path in String(path.split(separator: "/").last ?? "") })
        // The tutorials have types and files of their own, with which tests build them.
        let pages = repository.pages.filter {
            ["README.md", "ARCHITECTURE.md"].contains($0.path)
                || ($0.path.hasPrefix("Documentation/") && !$0.path.hasPrefix("Documentation/Atrium.docc/"))
        }
        return pages.flatMap { page in
            page.lines.flatMap { number, line -> [Finding] in
                let named = line.matches(of: /`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:[.(][^`]*)?`/)
                    .map { String($0.output.1) }
                let drawn = line.matches(of: /(?:participant [A-Z] as |\()([A-Z][a-z]+[A-Z][A-Za-z]+)(?:\)|$)/)
                    .map { String($0.output.1) }
                let sources = line.matches(of: /([A-Za-z0-9+]+\.swift)`/).map { String($0.output.1) }
                    .filter { !["Hello.swift", "Greeting.swift"].contains($0) }
                return (named + drawn).filter { !types.contains($0) && !files.contains($0) }.map {
                    page.finding(at: number, "there is no type \($0)")
                }
                    + sources.filter { !files.contains($0) }.map {
                        page.finding(at: number, "there is no file \($0)")
                    }
            }
        }
    }
}
