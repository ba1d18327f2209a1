import PluginCore
import PluginRouter

/// Another matcher to compare the router's with.
///
/// It tries every expansion of every pattern by recursion, and takes the best of those that match.
struct ReferenceMatcher {
    let patterns: [(pattern: RoutePattern, priority: Int)]

    func best(for uri: ResourceURI) throws -> (pattern: String, captures: [String: [String]])? {
        var found:
            [(pattern: RoutePattern, expansion: RoutePattern.Expansion, key: [Key], captures: [String: [String]])] = []
        for (pattern, priority) in patterns where pattern.scheme == nil || pattern.scheme == uri.scheme {
            for expansion in pattern.expansions {
                guard var captures = match(expansion.path[...], uri.segments[...], folds: uri.hasAuthority) else {
                    continue
                }
                if let wanted = expansion.fragment {
                    guard let fragment = uri.fragmentAddress,
                        let more = match(wanted[...], fragment.segments[...], folds: false)
                    else { continue }
                    captures.merge(more) { $1 }
                }
                found.append((pattern, expansion, key(expansion, priority, folds: uri.hasAuthority), captures))
            }
        }
        guard let best = found.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) else { return nil }
        return (best.pattern.text, best.captures)
    }

    private func match(
        _ segments: ArraySlice<RoutePattern.Segment>, _ texts: ArraySlice<String>, folds: Bool
    ) -> [String: [String]]? {
        guard let segment = segments.first else { return texts.isEmpty ? [:] : nil }
        if case .rest(let name) = segment { return [name: Array(texts)] }
        guard let text = texts.first, !text.isEmpty, let mine = match(segment, text, folds: folds) else { return nil }
        return match(segments.dropFirst(), texts.dropFirst(), folds: false).map { $0.merging(mine) { $1 } }
    }

    private func match(_ segment: RoutePattern.Segment, _ text: String, folds: Bool) -> [String: [String]]? {
        switch segment {
        case .literal(let literal): (folds ? literal.lowercased() == text.lowercased() : literal == text) ? [:] : nil
        case .partial(let partial):
            cut(Array(text), literals: partial.literals.map { Array($0) }[...], names: partial.names[...])
        case .typed(let name, let converter): converts(text, converter.name) ? [name: [text]] : nil
        case .capture(let name): [name: [text]]
        case .any: [:]
        case .rest: nil
        }
    }

    /// The leftmost capture longest first.
    private func cut(
        _ text: [Character], literals: ArraySlice<[Character]>, names: ArraySlice<String>
    ) -> [String: [String]]? {
        guard let literal = literals.first, text.starts(with: literal) else { return nil }
        guard let name = names.first else { return text.count == literal.count ? [:] : nil }
        let text = text.dropFirst(literal.count)
        for count in stride(from: text.count, to: 0, by: -1) {
            let more = cut(Array(text.dropFirst(count)), literals: literals.dropFirst(), names: names.dropFirst())
            if let more { return more.merging([name: [String(text.prefix(count))]]) { $1 } }
        }
        return nil
    }

    private func converts(_ text: String, _ converter: String) -> Bool {
        switch converter {
        case "bool": text == "true" || text == "false"
        case "int": Int64(text) != nil
        case "double": Double(text) != nil
        default: true
        }
    }

    /// A number or a text; what is compared from left to right.
    private enum Key: Comparable {
        case number(Int)
        case text(String)
    }

    private func key(_ expansion: RoutePattern.Expansion, _ priority: Int, folds: Bool) -> [Key] {
        var key = [Key.number(-priority)]
        for (index, segment) in expansion.path.enumerated() { key += self.key(segment, folds: folds && index == 0) }
        key.append(.number(5))
        key.append(.number(expansion.fragment == nil ? 1 : 0))
        for segment in expansion.fragment ?? [] { key += self.key(segment, folds: false) }
        key.append(.number(5))
        return key + [.number(expansion.scheme == nil ? 1 : 0), .text(expansion.canonicalKey)]
    }

    private func key(_ segment: RoutePattern.Segment, folds: Bool) -> [Key] {
        switch segment {
        case .literal(let text): [.number(0), .text(folds ? text.lowercased() : text)]
        case .partial(let partial):
            [
                .number(1), .number(-partial.literals.joined().utf8.count), .number(partial.names.count),
                .number(-partial.literals[0].utf8.count),
                .text(partial.literals.map { PercentCoding.encode($0) }.joined(separator: ":")),
            ]
        case .typed(_, let converter):
            [.number(2), .number(["uuid", "bool", "int", "double", "string"].firstIndex(of: converter.name) ?? 9)]
        case .capture: [.number(3)]
        case .any: [.number(4)]
        case .rest: [.number(6)]
        }
    }
}
