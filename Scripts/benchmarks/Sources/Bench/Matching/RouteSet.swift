import FoundationEssentials
import PluginCore
import PluginRouter

/// Patterns, each with an address that it matches.
struct RouteSet {
    let routes: [(pattern: String, address: String)]

    var patterns: [String] { routes.map(\.pattern) }
    var addresses: [String] { routes.map(\.address) }

    /// Reads a file with a pattern and an address on each line.
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

    /// Returns a number of routes, which repeats these routes with other first segments.
    func repeated(to count: Int) -> RouteSet {
        RouteSet(
            (0..<count).map { number in
                let (pattern, address) = routes[number % routes.count]
                let round = number / routes.count
                return round == 0 ? (pattern, address) : (pattern.inRound(round), address.inRound(round))
            })
    }

    /// Returns a number of the routes, taken from the whole set.
    func sample(_ count: Int) -> RouteSet {
        // The step is coprime to the length, so it reaches every index.
        RouteSet((0..<count).map { routes[$0 * 7_919 % routes.count] })
    }

    /// Returns all routes in another order, which is the same in every run.
    func shuffled() -> RouteSet { sample(routes.count) }

    /// The routes, as a bundle's manifest declares them.
    func routesOfBundle() throws -> [Route] {
        try routes.map { route in
            try Route(RouteDeclaration(pattern: route.pattern, kind: .page, name: "page"), owner: "bench")
        }
    }

    func list() throws -> RouteList { RouteList(try routesOfBundle()) }

    func dictionaryAndLoop() -> DictionaryAndLoop {
        var loop = DictionaryAndLoop()
        for (number, route) in routes.enumerated() { loop.add(route.pattern, number) }
        return loop
    }
}

extension String {
    /// Returns the pattern for a round, so that `/users/:p1` becomes `/users3/:p1` in the third round.
    fileprivate func inRound(_ round: Int) -> String {
        let end = dropFirst().firstIndex(of: "/") ?? endIndex
        return self[..<end] + "\(round)" + self[end...]
    }
}
