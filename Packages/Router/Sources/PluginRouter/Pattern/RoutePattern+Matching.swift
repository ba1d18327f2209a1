public import PluginCore

extension RoutePattern {
    /// Returns the captures of an address, or nil if the pattern does not match it.
    ///
    /// Literals are compared byte by byte, and the authority without regard to ASCII case.
    public func captures(from uri: ResourceURI) -> RouteCaptures? {
        expansion(matching: uri).map { expansion in
            RouteCaptures(uri, PatternMatch(0, expansion: expansion, leaf: expansion), of: PatternIndex([self]))
        }
    }

    /// Returns the index of the most specific expansion that matches an address.
    func expansion(matching uri: ResourceURI) -> Int? {
        guard scheme == nil || scheme == uri.scheme else { return nil }
        let matching = expansions.indices.lazy.filter { expansions[$0].matches(uri) }
        guard uri.hasAuthority, expansions.count > 1 else { return matching.first }
        // The expansions are sorted with regard to case, which decides last here.
        return matching.min { Expansion.order(expansions[$0], expansions[$1], ignoringCase: true) < 0 }
    }
}

extension RoutePattern.Expansion {
    fileprivate func matches(_ uri: ResourceURI) -> Bool {
        guard Self.match(path, uri) else { return false }
        guard let wanted = fragment else { return true }
        return uri.fragmentAddress.map { Self.match(wanted, $0) } ?? false
    }

    private static func match(_ segments: [RoutePattern.Segment], _ uri: ResourceURI) -> Bool {
        let (hasRest, count) = (segments.last?.isRest == true, uri.segmentCount)
        guard hasRest ? count >= segments.count - 1 : count == segments.count else { return false }
        return uri.withSegmentText { text in
            for (index, segment) in segments.enumerated() where !segment.isRest {
                let isAuthority = uri.hasAuthority && index == 0
                guard segment.matches(text.extracting(uri.segmentRange(index)), isAuthority: isAuthority) else {
                    return false
                }
            }
            return true
        }
    }
}
