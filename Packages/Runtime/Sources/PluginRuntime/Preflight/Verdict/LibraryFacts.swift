/// What a library's file says about itself.
public struct LibraryFacts: Hashable, Sendable {
    /// The machine and the width of its addresses: `x86_64`, or `32-bit x86` where the width is not the host's.
    public internal(set) var architecture = ""
    /// The libraries that are to be loaded with it.
    public internal(set) var needed: [String] = []
    /// The folders it has them looked for in.
    public internal(set) var searchPath: [String] = []
    /// The name that others find it by once it is loaded; `nil` for one without.
    public internal(set) var soname: String?
    /// A Boolean value that indicates whether it could be read so far that it is known what it lacks.
    var isRead = false
    /// A Boolean value that indicates whether it exports its entry.
    public internal(set) var hasEntry = false
    /// The ABI versions of the contract it was built for; more than one only when it was put together wrongly.
    public internal(set) var coreABIs: [UInt32] = []
    /// The releases of Core it was built with.
    public internal(set) var coreReleases: [String] = []
    /// The compilers that built it.
    public internal(set) var compilers: [String] = []
}
