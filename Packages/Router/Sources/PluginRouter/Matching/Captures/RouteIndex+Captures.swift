public import PluginCore

extension RouteIndex {
    /// Throws what is wrong with a text that is no address.
    @usableFromInline
    @inline(never)
    static func refuse(_ text: String) throws(AtriumError) {
        _ = try ResourceURI(text)
    }

    /// Calls `body` with each capture of a hit, in the pattern's order.
    ///
    /// - Parameter text: the address that the hit was found for.
    @inlinable @inline(__always)
    func forEachCapture(of hit: RouteHit, in text: UnsafeBufferPointer<UInt8>, _ body: (RouteCapture) -> Void) {
        guard hit.hasSimpleCaptures else {
            return visitCaptures(of: hit, in: text) { capture in
                body(capture)
                return true
            }
        }
        var (starts, number) = (hit.captureStarts, 0)
        while starts != 0 {
            let start = starts.trailingZeroBitCount
            let end = start &+ (hit.segmentEnds &>> UInt64(truncatingIfNeeded: start)).trailingZeroBitCount
            let range = Range(uncheckedBounds: (start, end))
            body(RouteCapture(number: number, range: range, segmentCount: 1))
            starts &= starts &- 1
            number &+= 1
        }
    }

    /// What is handed out for a leaf that an address has come to.
    func hit(_ leaf: Int32, _ address: AddressBytes) -> RouteHit {
        let found = trie.leaves[leaf]
        guard found.hasSimpleCaptures, address.layout.isShort else { return RouteHit(entry: found.entry, leaf: leaf) }
        var walk = CaptureWalk(address)
        var starts: UInt64 = 0
        for step in captureSteps(of: leaf) {
            starts |= 1 &<< UInt64(walk.site(of: step).range.lowerBound)
        }
        return RouteHit(
            entry: found.entry, leaf: leaf, captureStarts: starts, segmentEnds: address.layout.segmentEnds
        )
    }

    /// Calls `body` with each capture of a hit, in the pattern's order, until it answers `false`.
    ///
    /// - Parameter text: the address that the hit was found for.
    @usableFromInline
    func visitCaptures(
        of hit: RouteHit, in text: UnsafeBufferPointer<UInt8>, _ body: (RouteCapture) -> Bool
    ) {
        text.withPadding { bytes in
            let address = AddressBytes(bytes)
            var walk = CaptureWalk(address)
            for step in captureSteps(of: hit.leaf) {
                let site = walk.site(of: step)
                for name in 0..<Int(step.count) {
                    let capture = capture(Int(step.number) + name, name, step, site, address)
                    guard body(capture) else { return }
                }
            }
        }
    }

    /// The name of a capture; empty when a hit's form has no such.
    @usableFromInline
    func name(of capture: RouteCapture, in hit: RouteHit) -> String {
        let leaf = trie.leaves.pointer(to: hit.leaf)
        guard capture.number < leaf.pointee.nameCount else { return "" }
        return names[Int(leaf.pointee.names) &+ capture.number]
    }

    /// The capture of that name, or `nil`.
    @usableFromInline
    func capture(_ name: String, of hit: RouteHit, in text: UnsafeBufferPointer<UInt8>) -> RouteCapture? {
        let leaf = trie.leaves[hit.leaf]
        let names = names[Int(leaf.names)..<Int(leaf.names + leaf.nameCount)]
        guard let place = names.firstIndex(where: { $0.hasBytes(of: name) }) else { return nil }
        var found: RouteCapture?
        visitCaptures(of: hit, in: text) { capture in
            guard capture.number == place - names.startIndex else { return true }
            found = capture
            return false
        }
        return found
    }

    /// The decoded text of a capture; that of a range that is not the text's is empty.
    @usableFromInline
    func text(of capture: RouteCapture, of hit: RouteHit, in text: UnsafeBufferPointer<UInt8>) -> String {
        guard capture.range.upperBound <= text.count else { return "" }
        return text.withPadding { AddressBytes($0).decoded(capture.range) }
    }

    /// All that has been captured.
    @usableFromInline
    func captures(of hit: RouteHit, in text: UnsafeBufferPointer<UInt8>) -> RouteCaptures {
        text.withPadding { bytes in
            let address = AddressBytes(bytes)
            let leaf = trie.leaves[hit.leaf]
            var captures = RouteCaptures()
            captures.takesFragment = patterns[Int(leaf.entry)].forms[Int(leaf.form)].fragment != nil
            var walk = CaptureWalk(address)
            for step in captureSteps(of: hit.leaf) {
                collect(step, walk.site(of: step), names[Int(leaf.names + step.number)...], address, into: &captures)
            }
            return captures
        }
    }

    /// What a form captures.
    private func captureSteps(of leaf: Int32) -> UnsafeBufferPointer<CaptureStep> {
        let found = trie.leaves[leaf]
        return UnsafeBufferPointer(start: steps.pointer(to: found.steps), count: Int(found.stepCount))
    }

    private func capture(
        _ number: Int, _ place: Int, _ step: CaptureStep, _ site: CaptureWalk.Site, _ address: AddressBytes
    ) -> RouteCapture {
        switch step.kind {
        case .segment: return RouteCapture(number: number, range: site.range, segmentCount: 1)
        case .rest:
            let count = site.isThere ? address.segmentCount(site.range) : 0
            return RouteCapture(number: number, range: site.range, segmentCount: count)
        case .partial:
            let partial = partials[Int(step.partial)]
            let range = address.withDecoded(site.range) { partial.capture(place, of: $0.span) } ?? 0..<0
            return RouteCapture(number: number, range: address.written(range, in: site.range), segmentCount: 1)
        }
    }

    private func collect(
        _ step: CaptureStep, _ site: CaptureWalk.Site, _ names: ArraySlice<String>, _ address: AddressBytes,
        into captures: inout RouteCaptures
    ) {
        guard let name = names.first else { return }
        switch step.kind {
        case .segment: captures.values[name] = address.decoded(site.range)
        case .rest:
            let segments = site.isThere ? address.decodedSegments(site.range) : []
            captures.rest = RouteCaptures.Rest(name: name, segments: segments)
        case .partial:
            let text = address.decoded(site.range)
            for (name, range) in zip(names, partials[Int(step.partial)].captures(text.utf8.span)) {
                captures.values[name] = text.utf8.span.extracting(range).string
            }
        }
    }
}
