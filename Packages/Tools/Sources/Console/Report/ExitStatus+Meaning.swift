extension ExitStatus {
    /// All exit statuses of the programs in ascending order, as listed in their help and in `Documentation/Commands.md`.
    public static let all: [ExitStatus] = [
        .done, .different, .usage, .badInput, .notFound, .unavailable, .software, .ioError, .tryLater, .refused,
    ]

    /// The meaning as a sentence; empty for a status that is not one of these.
    public var meaning: String {
        switch self {
        case .done: localized("The command succeeded.")
        case .different: localized("The compared items differ, or an update is available.")
        case .usage: localized("The command line is not valid, or incomplete.")
        case .badInput:
            localized("The input is malformed (a package, a file, an address, a version), or a plugin refused it.")
        case .notFound: localized("The named item does not exist: a file, a plugin, a route, a key.")
        case .unavailable: localized("Something required does not respond, such as the catalog or a plugin.")
        case .software: localized("An error in the program or in a plugin.")
        case .ioError: localized("Reading or writing failed: the disk, or its permissions.")
        case .tryLater:
            localized(
                "Not now: another program is using the sandbox or the catalog, or something is not ready. Try again later."
            )
        case .refused: localized("A rule forbids it: trust, compatibility, permissions; or a check found a problem.")
        default: ""
        }
    }
}
