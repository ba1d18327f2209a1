import PluginCore

/// The description of a library according to its file.
public struct LibraryFacts: Hashable, Sendable {
    /// The machine, preceded by the address width if that isn't the host's: "x86_64" or "32-bit x86".
    public internal(set) var architecture = ""
    /// The libraries that it needs.
    public internal(set) var needed: [String] = []
    /// The folders in which its libraries are searched for.
    public internal(set) var searchPath: [String] = []
    /// The soname, by which other libraries find it once it is loaded.
    public internal(set) var soname: String?
    /// A Boolean value that indicates whether the file was parsed completely, so that missing parts are known.
    var isRead = false
    /// A Boolean value that indicates whether it exports the entry point.
    public internal(set) var hasEntry = false
    /// The ABI versions of the Core that it was built for; more than one if its parts were built differently.
    public internal(set) var coreABIs: [UInt32] = []
    /// A Boolean value that indicates whether no part was built for another ABI version than this process's.
    var isForCurrentCore: Bool { coreABIs.allSatisfy { $0 == CoreVersion.abi } }
    /// The releases of Core that it was built with.
    public internal(set) var coreReleases: [String] = []
    /// The compilers that built it.
    public internal(set) var compilers: [String] = []
}
