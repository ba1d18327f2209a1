import PluginCore

/// What an unknown address may have meant.
enum AddressSuggestion {
    /// In Unicode scalars: ``Nearest`` guesses nothing of what is longer.
    private static let longestAddress = 256

    /// The addresses nearest to `uri`, made from patterns: captures take what the user wrote in their place. None for an address
    /// that is too long to be a typing slip.
    static func nearest(to uri: ResourceURI, in patterns: [String], converters: RouteConverters) -> [String] {
        let written = spell(uri.scheme, uri.segments)
        // Each pattern could repeat all of it.
        guard written.unicodeScalars.count <= longestAddress else { return [] }
        let candidates = patterns.compactMap { try? RoutePattern($0, converters: converters) }.flatMap { pattern in
            // A pattern with many groups must not drown the others.
            pattern.forms.prefix(8).map { address(of: $0, scheme: pattern.scheme, like: uri) }
        }
        var seen: Set<String> = []
        return Nearest.words(to: written, in: candidates.filter { seen.insert($0).inserted && $0 != written })
    }

    private static func address(of form: RoutePattern.Form, scheme: String?, like uri: ResourceURI) -> String {
        var segments: [String] = []
        for (index, segment) in form.path.enumerated() {
            let written = index < uri.segments.count ? uri.segments[index] : nil
            switch segment {
            case .literal(let text): segments.append(text)
            case .rest: segments += uri.segments.dropFirst(index)
            case .partial, .typed:
                let fits = written.map { segment.takes($0.utf8.span) } ?? false
                segments.append((fits ? written : segment.example) ?? "")
            case .capture(let name): segments.append(written ?? ":" + name)
            case .any: segments.append(written ?? "*")
            }
        }
        let fragment = form.fragment.map { "#" + $0.compactMap(\.example).joined(separator: "/") } ?? ""
        return spell(scheme ?? uri.scheme, segments) + fragment
    }

    private static func spell(_ scheme: String?, _ segments: [String]) -> String {
        (scheme.map { $0 + "://" } ?? "") + segments.joined(separator: "/")
    }
}
