import FoundationEssentials
import PluginCore
import PluginRouter

/// Patterns, each with an address that it serves.
struct RouteSet {
    let routes: [(pattern: String, address: String)]

    var patterns: [String] { routes.map(\.pattern) }
    var addresses: [String] { routes.map(\.address) }

    /// Reads a file of lines with a pattern and an address each.
    init(path: FilePath) throws {
        let text = try String(contentsOf: URL(filePath: path.string), encoding: .utf8)
        routes = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            return words.count == 2 ? (words[0], words[1]) : nil
        }
    }

    private init(_ routes: [(pattern: String, address: String)]) {
        self.routes = routes
    }

    /// `count` routes: these, then again and again these with another first segment.
    func repeated(to count: Int) -> RouteSet {
        RouteSet(
            (0..<count).map { number in
                let (pattern, address) = routes[number % routes.count]
                let round = number / routes.count
                return round == 0 ? (pattern, address) : (pattern.inRound(round), address.inRound(round))
            })
    }

    /// `count` of the routes, from all over.
    func sample(_ count: Int) -> RouteSet {
        // A step that is prime to the length goes everywhere.
        RouteSet((0..<count).map { routes[$0 * 7_919 % routes.count] })
    }

    /// All routes in another order, the same in every run.
    func shuffled() -> RouteSet { sample(routes.count) }

    func matcher() throws -> RouteMatcher<Int> {
        var builder = RouteTableBuilder<Int>()
        for (number, route) in routes.enumerated() {
            try builder.add(try RoutePattern(route.pattern), owner: "bench", value: number)
        }
        return builder.build()
    }

    func dictionaryTrie() -> DictionaryTrie {
        let trie = DictionaryTrie()
        for (number, route) in routes.enumerated() { trie.add(route.pattern, number) }
        return trie
    }
}

extension String {
    /// `/users/:p1` in the third round is `/users3/:p1`.
    fileprivate func inRound(_ round: Int) -> String {
        let end = dropFirst().firstIndex(of: "/") ?? endIndex
        return self[..<end] + "\(round)" + self[end...]
    }
}
