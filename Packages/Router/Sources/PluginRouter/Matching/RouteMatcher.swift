public import PluginCore

/// Answers which routes serve an address. Frozen: made once by a ``RouteTableBuilder``, then shared by as many readers as
/// there are, without a lock.
///
/// The most specific route comes first: explicit priority, then the leftmost difference (literal, partial, typed capture,
/// capture, `*`, `**`) in the path, then in the fragment, then a scheme before none. When a branch turns out not to match
/// further on, the next is tried. The order of registration never matters.
///
/// ```swift
/// var builder = RouteTableBuilder<Int>()
/// try builder.add(RoutePattern("shop/:id"), owner: "shop", value: 1)
/// try builder.add(RoutePattern("shop/new"), owner: "shop", value: 2)
/// let matcher = builder.build()
/// matcher.first(for: try ResourceURI("app://shop/new"))?.value    // 2
/// ```
public struct RouteMatcher<Value: Sendable>: Sendable {
    typealias Entry = RouteTableBuilder<Value>.Entry

    private let entries: [Entry]
    private let trie: RouteTrie

    init(entries: [Entry], trie: RouteTrie) {
        self.entries = entries
        self.trie = trie
    }

    /// One route that serves an address.
    public struct Match: Sendable {
        /// What the route was registered with.
        public let value: Value
        /// The route's pattern.
        public let pattern: RoutePattern
        private let uri: ResourceURI?
        private let text: String
        private let form: Int32

        init(_ entry: Entry, form: Int32, uri: ResourceURI?, text: String) {
            self.value = entry.value
            self.pattern = entry.pattern
            self.uri = uri
            self.text = text
            self.form = form
        }

        /// What the pattern captures; made when it is asked for.
        public var captures: RouteCaptures {
            // The text is well formed: it has just been matched.
            guard let uri = uri ?? (try? ResourceURI(text)) else { return RouteCaptures() }
            return pattern.forms[Int(form)].captures(from: uri)
        }
    }

    /// The route that serves an address, or `nil`.
    public func first(for uri: ResourceURI) -> Match? {
        var found: Match?
        search(uri) { entry, form in
            found = Match(entry, form: form, uri: uri, text: uri.text)
            return false
        }
        return found
    }

    /// All routes that match an address, the one that serves it first. A pattern of which several forms match is there
    /// once, with the most specific.
    public func all(for uri: ResourceURI) -> [Match] {
        var found: [Match] = []
        var seen: Set<String> = []
        search(uri) { entry, form in
            if seen.insert(entry.pattern.forms[0].shape).inserted {
                found.append(Match(entry, form: form, uri: uri, text: uri.text))
            }
            return true
        }
        return found
    }

    /// The route that serves the address that `text` spells, or `nil`. Of a text without escapes nothing is copied and
    /// nothing decoded to find it.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, whether or not a route would look at the part.
    public func first(for text: String) throws(AtriumError) -> Match? {
        let bytes = text.utf8.span
        let layout = URILayout(of: bytes)
        guard layout.isPlain else { return first(for: try ResourceURI(text)) }
        let scheme = trie.schemes.isEmpty ? nil : layout.scheme.flatMap { number(of: bytes.extracting($0).string) }
        var search = RouteSearch(MatchText(plain: layout), scheme: scheme)
        guard let leaf = search.next(in: trie, bytes) else { return nil }
        return Match(entries[Int(leaf.entry)], form: leaf.form, uri: nil, text: text)
    }

    private func search(_ uri: ResourceURI, _ visit: (Entry, Int32) -> Bool) {
        let scheme = trie.schemes.isEmpty ? nil : uri.scheme.flatMap { trie.schemes[$0] }
        let layout = URILayout(of: uri.text.utf8.span)
        if layout.isPlain {
            search(uri.text.utf8.span, MatchText(plain: layout), scheme, visit)
        } else {
            let (bytes, text) = MatchText.decoded(uri)
            search(bytes.span, text, scheme, visit)
        }
    }

    private func search(
        _ bytes: Span<UInt8>, _ text: MatchText, _ scheme: Int32?, _ visit: (Entry, Int32) -> Bool
    ) {
        var search = RouteSearch(text, scheme: scheme)
        while let leaf = search.next(in: trie, bytes) {
            guard visit(entries[Int(leaf.entry)], leaf.form) else { return }
        }
    }

    private func number(of scheme: String) -> Int32? { trie.schemes[scheme.lowercasedASCII] }
}
