/// The walk over an address that tells where the captures of a form are, one step of the form after the other.
struct CaptureWalk {
    private let address: AddressBytes
    private var part: AddressPart
    private var isInFragment = false
    /// The segment that starts at `position`.
    private var segment: Int32 = 0
    private var position: Int

    /// What one step takes.
    struct Site {
        /// From where to where, as the address is written.
        let range: Range<Int>
        /// A Boolean value that indicates whether there is a segment at all, which only `**` can do without.
        let isThere: Bool
    }

    init(_ address: AddressBytes) {
        self.address = address
        part = address.layout.path
        position = part.start
    }

    /// Where a step is that is not before those that have been asked for.
    mutating func site(of step: CaptureStep) -> Site {
        if step.isInFragment, !isInFragment {
            isInFragment = true
            part = address.layout.fragment ?? AddressPart(lower: 0, upper: 0)
            segment = 0
            position = part.start
        }
        while segment < step.segment, position <= part.upper {
            position = address.end(of: position, limit: part.upper) + 1
            segment += 1
        }
        guard position <= part.upper else { return Site(range: part.upper..<part.upper, isThere: false) }
        let end = step.kind == .rest ? part.upper : address.end(of: position, limit: part.upper)
        return Site(range: position..<end, isThere: true)
    }
}
