/// What one segment of a form captures, and where the segment is.
struct CaptureStep: Sendable, BitwiseCopyable {
    enum Kind: UInt8, Sendable, BitwiseCopyable { case segment, partial, rest }

    /// What of the segment is captured.
    let kind: Kind
    /// A Boolean value that indicates whether the segment belongs to the fragment's path.
    let isInFragment: Bool
    /// How many segments of its part are in front of it.
    let segment: Int32
    /// Which capture of the form its first name is, and how many names it has: more than one in a partial alone.
    let number: Int32
    let count: Int32
    /// Which partial it is.
    let partial: Int32
}
