import FoundationEssentials

/// The fixture files of these tests.
enum Fixture {
    /// Returns the lines of a file, or none if it doesn't exist.
    static func lines(of name: String) -> [String] {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let text = try? String(contentsOf: URL(filePath: "/\(folder)/Fixtures/\(name)"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// The routes of the GitHub API: each pattern with an address that it matches.
    static let github: [(pattern: String, address: String)] = lines(of: "github-routes.txt").compactMap { line in
        let words = line.split(separator: " ").map(String.init)
        return words.count == 2 ? (words[0], words[1]) : nil
    }
}
