/// What an address came to: a route, and where the address's parts are.
///
/// Plain numbers, so that handing it on costs a copy and nothing else. They mean something to the ``RouteIndex`` that made
/// them alone, and together with the same text.
@usableFromInline
struct RouteHit: Sendable {
    /// The form that matched.
    let leaf: Int32
    /// The number of its route.
    @usableFromInline let entry: Int32
    let layout: AddressLayout

    @inline(__always)
    init(_ leaf: Int32, _ entry: Int32, _ layout: AddressLayout) {
        self.leaf = leaf
        self.entry = entry
        self.layout = layout
    }

    /// No route.
    static var none: RouteHit { RouteHit(RouteTrie.none, -1, AddressLayout()) }
    /// Not an address.
    static var malformed: RouteHit { RouteHit(RouteTrie.none, -2, AddressLayout()) }

    @inlinable var isMalformed: Bool { entry == -2 }

    /// The number of the route, or `nil` when there is none.
    @inlinable var route: Int? { entry < 0 ? nil : Int(entry) }
}
