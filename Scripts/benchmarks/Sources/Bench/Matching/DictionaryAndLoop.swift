/// A straightforward router as a baseline, which splits an address and tries the routes with the same first segment one by one.
struct DictionaryAndLoop {
    private enum Segment {
        case literal(Substring)
        case capture(String)
    }

    private var routes: [Substring: [(segments: [Segment], value: Int)]] = [:]

    mutating func add(_ pattern: String, _ value: Int) {
        let pieces = pattern.split(separator: "/")
        let segments = pieces.map { $0.first == ":" ? Segment.capture(String($0.dropFirst())) : .literal($0) }
        routes[pieces.first ?? "", default: []].append((segments, value))
    }

    /// Returns the route of an address with its captures.
    func first(for address: String) -> (value: Int, captures: [(name: String, text: Substring)])? {
        let pieces = address.split(separator: "/")
        for route in routes[pieces.first ?? ""] ?? [] {
            if let captures = captures(of: route.segments, from: pieces) { return (route.value, captures) }
        }
        return nil
    }

    private func captures(of segments: [Segment], from pieces: [Substring]) -> [(name: String, text: Substring)]? {
        guard segments.count == pieces.count else { return nil }
        var captures: [(name: String, text: Substring)] = []
        for (segment, piece) in zip(segments, pieces) {
            switch segment {
            case .literal(let literal): guard literal == piece else { return nil }
            case .capture(let name): captures.append((name, piece))
            }
        }
        return captures
    }
}
