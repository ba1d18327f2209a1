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
