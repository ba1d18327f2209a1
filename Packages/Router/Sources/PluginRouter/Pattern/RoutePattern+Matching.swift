public import PluginCore

extension RoutePattern {
    /// Returns the captures of an address, or nil if the pattern does not match it.
    ///
    /// Literals are compared byte by byte, and the authority without regard to ASCII case.
    public func captures(from uri: ResourceURI) -> RouteCaptures? {
        expansion(matching: uri)?.captures(from: uri)
    }

    /// Returns the most specific expansion that matches an address.
    func expansion(matching uri: ResourceURI) -> Expansion? {
        expansion(matching: uri, fragment: uri.fragmentAddress?.segments)
    }

    /// Returns the most specific expansion that matches an address with an already decoded fragment.
    ///
    /// - Parameter fragment: The segments of the fragment. Passing them saves time if many patterns are tried on one address.
    func expansion(matching uri: ResourceURI, fragment: [String]?) -> Expansion? {
        guard scheme == nil || scheme == uri.scheme else { return nil }
        guard uri.hasAuthority, expansions.count > 1 else {
            return expansions.first { $0.matches(uri, fragment: fragment) }
        }
        // The expansions are sorted with regard to case, which decides last here.
        return expansions.filter { $0.matches(uri, fragment: fragment) }
            .min { Expansion.order($0, $1, ignoringCase: true) < 0 }
    }
}

extension RoutePattern.Expansion {
    fileprivate func matches(_ uri: ResourceURI, fragment: [String]?) -> Bool {
        guard Self.match(path, uri.segments, isAuthority: uri.hasAuthority) else { return false }
        guard let wanted = self.fragment else { return true }
        return fragment.map { Self.match(wanted, $0, isAuthority: false) } ?? false
    }

    private static func match(_ segments: [RoutePattern.Segment], _ texts: [String], isAuthority: Bool) -> Bool {
        let hasRest = segments.last?.isRest == true
        guard hasRest ? texts.count >= segments.count - 1 : texts.count == segments.count else { return false }
        for (index, (segment, text)) in zip(segments, texts).enumerated() {
            switch segment {
            case .literal(let literal):
                let isSame = literal.hasBytes(of: text, ignoringCase: isAuthority && index == 0)
                guard isSame, !text.isEmpty else { return false }
            case .rest: return true
            default: guard segment.takes(text.utf8.span) else { return false }
            }
        }
        return true
    }

    /// Returns the captures of a matching address.
    func captures(from uri: ResourceURI) -> RouteCaptures {
        var captures = RouteCaptures()
        var values: [URIParameters.Item] = []
        values.reserveCapacity(captureCount)
        captures.collect(path, uri.segments, &values)
        if let fragment {
            captures.takesFragment = true
            captures.collect(fragment, uri.fragmentAddress?.segments ?? [], &values)
        }
        captures.values = URIParameters(values)
        return captures
    }
}

extension RouteCaptures {
    /// Adds the captures of segments from the texts that they match.
    fileprivate mutating func collect(
        _ segments: [RoutePattern.Segment], _ texts: [String], _ values: inout [URIParameters.Item]
    ) {
        for index in segments.indices {
            switch segments[index] {
            case .literal, .any: continue
            case .rest(let name): rest = Rest(name: name, texts[index...])
            case .typed(let name, _), .capture(let name):
                values.append(URIParameters.Item(name: name, value: texts[index]))
            case .partial(let partial):
                let text = texts[index].utf8.span
                for (name, range) in zip(partial.names, partial.captures(text)) {
                    values.append(URIParameters.Item(name: name, value: text.extracting(range).string))
                }
            }
        }
    }
}
