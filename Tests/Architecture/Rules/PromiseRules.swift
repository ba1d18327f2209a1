extension Rule {
    /// Checks the page that lists what users are promised: each row of its tables ends with a link to a file, whose text is the name of a test
    /// in that file.
    static let promises = Rule("each promise has a test that exists") { repository in
        repository.pages.filter { $0.path == "Documentation/Promises.md" }.flatMap { page in
            page.lines.compactMap { number, line -> Finding? in
                guard line.hasPrefix("| "), line != "| promise | test |" else { return nil }
                guard let row = line.wholeMatch(of: /\| .+ \| \[(.+)\]\(([^()]+)\) \|/) else {
                    return page.finding(
                        at: number, "is a promise without a test; allowed: | promise | [name of the test](its file) |")
                }
                let (name, path) = (String(row.output.1), RelativePath.join(page.folder, String(row.output.2)))
                let sources = repository.packages.flatMap(\.targets).filter { $0.kind == .test }.flatMap(\.sources)
                guard sources.first(where: { $0.path == path })?.testNames.contains(name) != true else { return nil }
                return page.finding(at: number, "no test in \(path) has the name \"\(name)\"")
            }
        }
    }
}

extension SourceFile {
    /// The names of the tests as they are displayed.
    fileprivate var testNames: [String] {
        tokens.indices.dropLast(3).filter { tokens.reads("@", "Test", "(", at: $0) && tokens[$0 + 3].kind == .literal }
            .map { tokens[$0 + 3].text }
    }
}
