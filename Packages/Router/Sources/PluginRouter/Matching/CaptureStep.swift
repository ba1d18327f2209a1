/// What one segment of a form captures, and where the segment is.
struct CaptureStep: Sendable {
    enum Kind: UInt8 { case segment, partial, rest }

    let kind: Kind
    /// Whether the segment belongs to the fragment's path.
    let isInFragment: Bool
    /// How many segments of its part are in front of it.
    let segment: Int32
    /// Where its names start, and how many there are: more than one in a partial alone.
    let names: Int32
    let nameCount: Int32
    /// Which partial it is.
    let partial: Int32
}
