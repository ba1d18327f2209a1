public import PluginCore

/// The matcher without what routes are registered with: patterns in, the number of a pattern and of its form out.
///
/// Not generic, so that it is compiled once and whole, wherever a ``RouteMatcher`` is used; a class, so that what is handed
/// out with a match holds on to one object and copies nothing.
@usableFromInline
final class RouteIndex: Sendable {
    @usableFromInline let patterns: [RoutePattern]
    private let trie: RouteTrie

    init(patterns: [RoutePattern], trie: RouteTrie) {
        self.patterns = patterns
        self.trie = trie
    }

    /// What has been found: the number of a pattern, and of the form of it that matched.
    @usableFromInline
    struct Hit {
        @usableFromInline let pattern: Int32
        @usableFromInline let form: Int32

        init(_ leaf: RouteTrie.Leaf) {
            pattern = leaf.entry
            form = leaf.form
        }
    }

    /// The pattern that comes first for an address.
    @usableFromInline
    func first(for uri: ResourceURI) -> Hit? {
        var found: Hit?
        search(uri) { hit in
            found = hit
            return false
        }
        return found
    }

    /// The pattern that comes first for the address that `text` spells.
    @usableFromInline
    func first(for text: String) throws(AtriumError) -> Hit? {
        let bytes = text.utf8.span
        let layout = URILayout(of: bytes)
        guard layout.isPlain else { return first(for: try ResourceURI(text)) }
        let scheme =
            trie.schemes.isEmpty
            ? nil : layout.scheme.flatMap { trie.schemes[bytes.extracting($0).string.lowercasedASCII] }
        var search = RouteSearch(MatchText(plain: layout), scheme: scheme)
        return search.next(in: trie, bytes).map(Hit.init)
    }

    /// All patterns that match an address, the first in front, each once, with its most specific form.
    @usableFromInline
    func all(for uri: ResourceURI) -> [Hit] {
        var found: [Hit] = []
        var seen: Set<Int32> = []
        search(uri) { hit in
            if seen.insert(hit.pattern).inserted { found.append(hit) }
            return true
        }
        return found
    }

    /// What the form that was found captures from the address that `text` spells.
    @usableFromInline
    func captures(_ pattern: Int32, _ form: Int32, _ text: String) -> RouteCaptures {
        let form = patterns[Int(pattern)].forms[Int(form)]
        let bytes = text.utf8.span
        let layout = URILayout(of: bytes)
        if layout.isPlain { return RouteCaptures(form, bytes, MatchText(plain: layout)) }
        // The text is well formed: it has been matched.
        return (try? ResourceURI(text)).map { form.captures(from: $0) } ?? RouteCaptures()
    }

    private func search(_ uri: ResourceURI, _ visit: (Hit) -> Bool) {
        let scheme = trie.schemes.isEmpty ? nil : uri.scheme.flatMap { trie.schemes[$0] }
        let layout = URILayout(of: uri.text.utf8.span)
        if layout.isPlain {
            search(uri.text.utf8.span, RouteSearch(MatchText(plain: layout), scheme: scheme), visit)
        } else {
            let (bytes, text) = MatchText.decoded(uri)
            search(bytes.span, RouteSearch(text, scheme: scheme), visit)
        }
    }

    private func search(_ bytes: Span<UInt8>, _ start: RouteSearch, _ visit: (Hit) -> Bool) {
        var search = start
        while let leaf = search.next(in: trie, bytes) {
            guard visit(Hit(leaf)) else { return }
        }
    }
}
