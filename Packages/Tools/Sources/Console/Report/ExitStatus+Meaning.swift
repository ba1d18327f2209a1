extension ExitStatus {
    /// All exit statuses of the programs in ascending order, as listed in their help and in `Documentation/Commands.md`.
    public static let all: [ExitStatus] = [
        .done, .different, .usage, .badInput, .notFound, .unavailable, .software, .ioError, .tryLater, .refused,
    ]

    /// The meaning as a sentence; empty for a status that is not one of these.
    public var meaning: String {
        switch self {
        case .done: "What was asked for is done."
        case .different: "Two things that were compared differ, or an update was looked for and is there."
        case .usage: "The command line cannot be understood, or lacks something."
        case .badInput:
            "What was handed in is malformed (a package, a file, an address, a version), or a plugin refused it."
        case .notFound: "What was named is not there: a file, a plugin, a route, a key."
        case .unavailable: "Something that the work needs does not answer, such as the catalog or a plugin."
        case .software: "A fault of the program, or of a plugin."
        case .ioError: "Reading or writing failed: the disk, or the rights on it."
        case .tryLater:
            "Not now: another host has the sandbox, or something is not ready. The same line may do it later."
        case .refused: "A rule forbids it: trust, compatibility, rights; or a check has found something wrong."
        default: ""
        }
    }
}
