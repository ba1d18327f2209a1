internal import PluginCore

extension RouteIndex {
    /// Where the walk over a form's captures is.
    struct CaptureWalk {
        /// The next step of the form, and the next name of it.
        fileprivate var step: Int32 = 0
        fileprivate var name: Int32 = 0
        /// The segment that starts at `position`.
        fileprivate var segment: Int32 = 0
        fileprivate var position: Int
        fileprivate var isInFragment = false

        init(_ layout: AddressLayout) {
            position = layout.path.start
        }
    }

    /// What one step of a form takes.
    struct Site {
        let step: CaptureStep
        /// From where to where, as the address is written.
        let range: Range<Int>
        /// Whether there is a segment at all, which only `**` can do without.
        let isThere: Bool
    }

    /// The next step's site; `nil` behind the last.
    @inline(__always)
    func nextSite(_ walk: inout CaptureWalk, _ leaf: RouteTrie.Leaf, _ address: AddressBytes) -> Site? {
        guard walk.step < leaf.stepCount else { return nil }
        let step = steps[leaf.steps &+ walk.step]
        walk.step &+= 1
        if step.isInFragment, !walk.isInFragment {
            walk.isInFragment = true
            walk.segment = 0
            walk.position = address.layout.fragment?.start ?? 1
        }
        let part = walk.isInFragment ? address.layout.fragment ?? AddressPart(lower: 0, upper: 0) : address.layout.path
        while walk.segment < step.segment, walk.position <= part.upper {
            walk.position = address.end(of: walk.position, limit: part.upper) &+ 1
            walk.segment &+= 1
        }
        guard walk.position <= part.upper else {
            return Site(step: step, range: part.upper..<part.upper, isThere: false)
        }
        let end = step.kind == .rest ? part.upper : address.end(of: walk.position, limit: part.upper)
        return Site(step: step, range: walk.position..<end, isThere: true)
    }

    /// What has been captured from the address that `text` spells.
    func captures(_ hit: RouteHit, _ text: String) -> RouteCaptures {
        text.utf8.span.withUnsafeBufferPointer { bytes in bytes.withPadding { bytes in
            let address = AddressBytes(bytes, layout: hit.layout)
            var captures = RouteCaptures()
            let leaf = trie.leaves[hit.leaf]
            captures.takesFragment = patterns[Int(leaf.entry)].forms[Int(leaf.form)].fragment != nil
            var walk = CaptureWalk(hit.layout)
            while let site = nextSite(&walk, leaf, address) { collect(site, address, into: &captures) }
            return captures
        } }
    }

    private func collect(_ site: Site, _ address: AddressBytes, into captures: inout RouteCaptures) {
        let first = Int(site.step.names)
        switch site.step.kind {
        case .segment: captures.values[names[first]] = address.decoded(site.range)
        case .rest:
            captures.rest = RouteCaptures.Rest(
                name: names[first], segments: site.isThere ? address.decodedSegments(site.range) : []
            )
        case .partial:
            let text = address.decoded(site.range)
            let ranges = partials[Int(site.step.partial)].captures(text.utf8.span)
            for (name, range) in zip(names[first...], ranges) {
                captures.values[name] = text.utf8.span.extracting(range).string
            }
        }
    }
}

extension AddressBytes {
    /// The text of a piece of an address that is well formed.
    func decoded(_ range: Range<Int>) -> String {
        let piece = bytes.buffer(range)
        if layout.isPlain { return String(decoding: piece, as: UTF8.self) }
        return (try? PercentCoding.decode(piece)) ?? String(decoding: piece, as: UTF8.self)
    }

    /// The text of each segment of a piece.
    func decodedSegments(_ range: Range<Int>) -> [String] {
        var segments: [String] = []
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = end(of: start, limit: range.upperBound)
            segments.append(decoded(start..<end))
            start = end + 1
        }
        return segments
    }
}
