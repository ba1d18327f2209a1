extension Rule {
    private static let required: Set = [
        "Packages", "HostApp", "Plugins", "Tests", "Scripts", "Package.swift", "README.md", "ARCHITECTURE.md",
    ]
    /// The common project files and the decision records, which are optional.
    private static let optional: Set = [
        "CHANGELOG.md", "CONTRIBUTING.md", "Documentation", "LICENSE", "LICENSE.md", "Samples",
    ]

    static let topLevel = Rule("the top level of the repository is its table of contents") { repository in
        let found = repository.topLevel.filter { !$0.hasPrefix(".") }
        let allowed = required.union(optional)
        let list = allowed.sorted().joined(separator: ", ")
        return found.subtracting(allowed).sorted().map {
            Finding(file: $0, line: 1, message: "\($0) is at the top level; allowed: \(list), and names with a dot")
        } + required.subtracting(found).sorted().map { Finding(file: $0, line: 1, message: "\($0) is missing") }
    }

    static let documentation = Rule("every public library has a page") { repository in
        repository.packages.filter { $0.isProduct && $0.plugin == nil }.flatMap { package in
            let isPublic = Set(package.products.filter { $0.linkage != nil }.flatMap(\.targets))
                .subtracting(measuredPlugins)
            return package.targets.filter { isPublic.contains($0.name) && !$0.isC }.compactMap { target -> Finding? in
                let title = "# ``\(target.module)``"
                if target.page?.hasPrefix(title + "\n") == true { return nil }
                return Finding(
                    file: "\(target.folder)/\(target.name).docc/\(target.name).md", line: 1,
                    message: target.page == nil
                        ? "library \(target.name) has no page" : "the page does not start with its title, \(title)")
            }
        }
    }
}
