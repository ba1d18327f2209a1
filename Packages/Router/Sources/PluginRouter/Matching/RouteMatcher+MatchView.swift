public import PluginCore

extension RouteMatcher {
    /// A match that is looked at where it was found: nothing is copied, counted or allocated to have it.
    ///
    /// It is lent to a closure and cannot leave it, so it needs to own neither the table nor the text.
    public struct MatchView: ~Copyable {
        @usableFromInline let place: UnsafePointer<Value>
        @usableFromInline let index: Unmanaged<RouteIndex>
        @usableFromInline let hit: RouteHit
        @usableFromInline let text: UnsafeBufferPointer<UInt8>

        /// All of them outlive the view: whoever makes one lends it, and keeps them until it is back.
        @inlinable
        init(
            _ place: UnsafePointer<Value>, _ index: RouteIndex, _ hit: RouteHit, _ text: UnsafeBufferPointer<UInt8>
        ) {
            self.place = place
            self.index = Unmanaged.passUnretained(index)
            self.hit = hit
            self.text = text
        }

        /// What the route was registered with.
        @inlinable
        public var value: Value { place.pointee }

        /// The route's pattern.
        @inlinable
        public var pattern: RoutePattern { index._withUnsafeGuaranteedRef { $0.patterns[Int(hit.entry)] } }

        /// What the pattern captures, decoded. Allocates, as a dictionary does.
        @inlinable
        public var captures: RouteCaptures { index._withUnsafeGuaranteedRef { $0.captures(of: hit, in: text) } }

        /// The decoded text of one capture; `nil` when the form that matched has none of that name. What `**` took is
        /// one text, with its slashes.
        @inlinable
        public func capture(_ name: String) -> String? {
            index._withUnsafeGuaranteedRef { index in
                index.capture(name, of: hit, in: text).map { index.text(of: $0, of: hit, in: text) }
            }
        }

        /// Calls `body` with each capture, in the pattern's order, without decoding any.
        @inlinable
        public func forEachCapture(_ body: (RouteCapture) -> Void) {
            index._withUnsafeGuaranteedRef { $0.forEachCapture(of: hit, in: text, body) }
        }

        /// What a capture of this match is called.
        @inlinable
        public func name(of capture: RouteCapture) -> String {
            index._withUnsafeGuaranteedRef { $0.name(of: capture, in: hit) }
        }

        /// The decoded text of a capture of this match.
        @inlinable
        public func text(of capture: RouteCapture) -> String {
            index._withUnsafeGuaranteedRef { $0.text(of: capture, of: hit, in: text) }
        }
    }

    /// Lends the route that serves the address that `text` spells, which costs less than to hand it out.
    ///
    /// ```swift
    /// let id = try matcher.withFirst(for: "shop/42") { $0.capture("id") }    // "42"
    /// ```
    ///
    /// - Returns: what `body` returns; `nil` when no route serves the address.
    /// - Throws: ``AtriumError`` with code `uriMalformed`.
    @inlinable
    public func withFirst<R>(for text: String, _ body: (borrowing MatchView) -> R) throws(AtriumError) -> R? {
        var isMalformed = false
        let result = text.utf8.span.withUnsafeBufferPointer { lend($0, &isMalformed, body) }
        if isMalformed { try RouteIndex.refuse(text) }
        return result
    }

    /// Lends the route that serves the address that these bytes spell.
    ///
    /// - Returns: what `body` returns; `nil` when no route serves the address.
    /// - Throws: ``AtriumError`` with code `uriMalformed`.
    @inlinable
    public func withFirst<R>(for text: UTF8Span, _ body: (borrowing MatchView) -> R) throws(AtriumError) -> R? {
        var isMalformed = false
        let result = text.span.withUnsafeBufferPointer { lend($0, &isMalformed, body) }
        if isMalformed { try RouteIndex.refuse(String(copying: text)) }
        return result
    }

    /// Lends the route that serves an address.
    ///
    /// - Returns: what `body` returns; `nil` when no route serves the address.
    @inlinable
    public func withFirst<R>(for uri: ResourceURI, _ body: (borrowing MatchView) -> R) -> R? {
        var isMalformed = false
        return uri.text.utf8.span.withUnsafeBufferPointer { lend($0, &isMalformed, body) }
    }

    @inlinable @inline(__always)
    func lend<R>(
        _ text: UnsafeBufferPointer<UInt8>, _ isMalformed: inout Bool, _ body: (borrowing MatchView) -> R
    ) -> R? {
        let hit = index.first(for: text)
        isMalformed = hit.isMalformed
        guard let route = hit.route else { return nil }
        return values.withUnsafeBufferPointer { values in
            values.baseAddress.map { body(MatchView($0 + route, index, hit, text)) }
        }
    }
}
