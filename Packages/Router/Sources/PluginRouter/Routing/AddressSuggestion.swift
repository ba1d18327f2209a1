import PluginCore

/// What an unknown address may have meant.
enum AddressSuggestion {
    /// The addresses nearest to `uri`, made from patterns: captures take what the user wrote in their place.
    static func nearest(to uri: ResourceURI, in patterns: [String]) -> [String] {
        let candidates = patterns.compactMap { try? RoutePattern($0) }.map { address(of: $0, like: uri) }
        let written = spell(uri.scheme, uri.segments)
        var seen: Set<String> = []
        return Nearest.words(to: written, in: candidates.filter { seen.insert($0).inserted && $0 != written })
    }

    private static func address(of pattern: RoutePattern, like uri: ResourceURI) -> String {
        let segments = pattern.segments.enumerated().map { index, segment in
            switch segment {
            case .literal(let text): text
            case .capture(let name): index < uri.segments.count ? uri.segments[index] : ":" + name
            }
        }
        return spell(pattern.scheme ?? uri.scheme, segments)
    }

    private static func spell(_ scheme: String?, _ segments: [String]) -> String {
        (scheme.map { $0 + "://" } ?? "") + segments.joined(separator: "/")
    }
}
