/// What the program tells its caller when it ends, by the numbers of BSD's `sysexits.h`.
public struct ExitStatus: RawRepresentable, Sendable, Hashable {
    /// The number the shell sees; only its low eight bits arrive.
    public let rawValue: Int32

    /// A status of one's own, such as a child's handed through.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// What was asked for is done.
    public static let done = ExitStatus(rawValue: 0)
    /// Two things that were compared are not the same, as diff(1) says it.
    public static let different = ExitStatus(rawValue: 1)
    /// The command line cannot be understood (EX_USAGE).
    public static let usage = ExitStatus(rawValue: 64)
    /// What the user handed in is malformed: a file, a URL, a version (EX_DATAERR).
    public static let badInput = ExitStatus(rawValue: 65)
    /// What the user named is not there (EX_NOINPUT).
    public static let notFound = ExitStatus(rawValue: 66)
    /// Something the work needs does not answer, such as a server (EX_UNAVAILABLE).
    public static let unavailable = ExitStatus(rawValue: 69)
    /// A fault of the program itself (EX_SOFTWARE).
    public static let software = ExitStatus(rawValue: 70)
    /// Reading or writing failed (EX_IOERR).
    public static let ioError = ExitStatus(rawValue: 74)
    /// What was asked for is not done yet and can be tried again (EX_TEMPFAIL).
    public static let tryLater = ExitStatus(rawValue: 75)
    /// A rule forbids it: trust, compatibility, rights (EX_NOPERM).
    public static let refused = ExitStatus(rawValue: 77)

    /// Ends the process with this status.
    public func exit() -> Never { System.exit(rawValue) }
}
