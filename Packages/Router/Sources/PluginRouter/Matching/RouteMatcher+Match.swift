extension RouteMatcher {
    /// One route that serves an address.
    ///
    /// Holds on to the table that it was found in and to the address's text. Who only looks at a match and lets it go pays
    /// less with ``RouteMatcher/withFirst(for:_:)-(String,_)``.
    public struct Match: Sendable {
        /// What the route was registered with.
        public let value: Value
        @usableFromInline let index: RouteIndex
        @usableFromInline let hit: RouteHit
        @usableFromInline let text: String

        @inlinable
        init(_ value: Value, _ index: RouteIndex, _ hit: RouteHit, _ text: String) {
            self.value = value
            self.index = index
            self.hit = hit
            self.text = text
        }

        /// The route's pattern.
        @inlinable
        public var pattern: RoutePattern { index.patterns[Int(hit.entry)] }

        /// What the pattern captures, decoded.
        @inlinable
        public var captures: RouteCaptures { look { $0.captures } }

        /// The decoded text of one capture; `nil` when the form that matched has none of that name. What `**` took is
        /// one text, with its slashes; ``captures`` has its segments.
        @inlinable
        public func capture(_ name: String) -> String? { look { $0.capture(name) } }

        /// Calls `body` with each capture, in the pattern's order, without decoding any.
        @inlinable
        public func forEachCapture(_ body: (RouteCapture) -> Void) { look { $0.forEachCapture(body) } }

        /// What a capture of this match is called.
        @inlinable
        public func name(of capture: RouteCapture) -> String { index.name(of: capture, in: hit) }

        /// The decoded text of a capture of this match.
        @inlinable
        public func text(of capture: RouteCapture) -> String { look { $0.text(of: capture) } }

        @inlinable
        func look<R>(_ body: (borrowing MatchView) -> R) -> R {
            text.utf8.span.withUnsafeBufferPointer { bytes in
                withUnsafePointer(to: value) { body(MatchView($0, index, hit, bytes)) }
            }
        }
    }
}
