public import Console
public import PluginCore
public import TUFMetadata

/// An error of a command that changes or shows a catalog.
public enum PublisherError: Error, Sendable {
    /// There is no published catalog in the folder.
    case noCatalog(FilePath)
    /// The repository could not be read, changed or published.
    case repository(TUFError, FilePath)
    /// The folder lacks keys that must sign a role.
    case keysMissing(role: String, keys: [String], needed: Int, FilePath)
    /// The password of a key is wrong.
    case passwordWrong(FilePath)
    /// A file is not a key of a supported kind.
    case keyInvalid(FilePath, String)
    /// A file could not be read or written.
    case file(FilePath, String)
    /// The version is published with other content.
    case versionReused(BundleIdentity)
    /// The version was revoked.
    case versionRevoked(BundleIdentity, reason: String)
    /// The catalog does not offer the version.
    case versionUnknown(BundleIdentity, offered: [SemanticVersion])
    /// A package has no library for any platform, although its manifest names one.
    case librariesMissing(BundleIdentity, [String])
    /// A file has only the libraries of some platforms of its package.
    case partOfPackage(BundleIdentity, contained: [String], sealed: [String])
    /// The Interface of a version cannot be published.
    case interfaceRefused(BundleIdentity, String)
    /// A file is published with other content.
    case fileReused(String)
    /// Too many bundles or versions for one list.
    case listFull(String, limit: Int)
    /// A text is not a prefix of identifiers.
    case prefixInvalid(String)
    /// The catalog has no such role.
    case roleUnknown(String, known: [String])
    /// The keys cannot become those of the role.
    case rotationInvalid(role: String, String)
    /// The number of bins cannot be lowered.
    case binsInvalid(Int, current: Int)
    /// The changes are not those of one team.
    case exportInvalid(String)
    /// A file of a team cannot be imported.
    case importInvalid(FilePath, String)
}

extension PublisherError: ReportableError {
    /// The report for people and scripts.
    public var report: FailureReport {
        switch self {
        case .noCatalog(let folder):
            FailureReport(
                code: "catalogMissing", subject: folder.string,
                message: "there is no catalog in \"\(folder)\"",
                remedy: "correct the path; \"bundletool publish\" creates a catalog with its first package")
        case .repository(let error, let folder): Self.report(error, folder)
        case .keysMissing(let role, let keys, let needed, let folder):
            FailureReport(
                code: "keysMissing", subject: role,
                message:
                    "the role \"\(role)\" must be signed by \(needed) of its keys, and \"\(folder)\" has too few of them",
                remedy: "add the files of the keys to that folder, or let their owners sign: see --export and --import",
                details: keys.map { "key \($0)" })
        case .passwordWrong(let path):
            FailureReport(
                code: "passwordWrong", subject: path.string, message: "the password of the key \"\(path)\" is wrong",
                remedy: "enter the password that the key was created with; all keys of a command have the same password"
            )
        case .keyInvalid(let path, let problem):
            FailureReport(
                code: "keyInvalid", subject: path.string, message: "\"\(path)\" is not a usable key: \(problem)",
                remedy: "specify a key that \"bundletool keygen\" or \"bundletool publish\" has created")
        case .file(let path, let problem):
            FailureReport(
                code: "inputOutput", subject: path.string, message: "\"\(path)\" cannot be used: \(problem)",
                remedy: "check the path, the free space and the limit for files, and that you may read and write there")
        case .versionReused(let identity):
            FailureReport(
                code: "versionReused", subject: identity.description,
                message: "\"\(identity)\" is published with other content",
                remedy: "raise the version in manifest.json, and pack and publish it again")
        case .versionRevoked(let identity, let reason):
            FailureReport(
                code: "versionRevoked", subject: identity.description,
                message: "\"\(identity)\" was revoked: \(reason)",
                remedy: "raise the version in manifest.json, and pack and publish it again")
        case .versionUnknown(let identity, let offered):
            FailureReport(
                code: "versionUnknown", subject: identity.description,
                message: "the catalog does not offer \"\(identity)\"",
                remedy: offered.isEmpty
                    ? "\"bundletool catalog\" lists what it offers"
                    : "choose one of \(offered.map(\.description).joined(separator: ", "))")
        case .librariesMissing(let identity, let libraries):
            FailureReport(
                code: "libraryMissing", subject: identity.description,
                message: "\"\(identity)\" has all of its libraries for no platform",
                remedy: "pack it again with \(libraries.joined(separator: ", "))")
        case .partOfPackage(let identity, let contained, let sealed):
            FailureReport(
                code: "packageIncomplete", subject: identity.description,
                message:
                    "the file of \"\(identity)\" is only the part for \(contained.joined(separator: ", ")) of a package "
                    + "that is for \(sealed.joined(separator: ", "))",
                remedy: "publish the whole package, which \"bundletool pack\" has created")
        case .interfaceRefused(let identity, let problem):
            FailureReport(
                code: "interfaceRefused", subject: identity.description,
                message: "the Interface of \"\(identity)\" cannot be published: \(problem)",
                remedy: "publish it with the package that \"bundletool pack --interface\" has written beside it")
        case .fileReused(let path):
            FailureReport(
                code: "versionReused", subject: path, message: "\"\(path)\" is published with other content",
                remedy: "raise the version, and publish it again")
        case .listFull(let path, let limit):
            FailureReport(
                code: "catalogFull", subject: path, message: "\"\(path)\" would have more than \(limit) elements",
                remedy: "publish into another catalog")
        case .prefixInvalid(let text):
            FailureReport(
                code: "prefixInvalid", subject: text, message: "\"\(text)\" is not a prefix of identifiers",
                remedy: "specify a reverse-domain name such as com.example")
        case .roleUnknown(let role, let known):
            FailureReport(
                code: "roleUnknown", subject: role, message: "the catalog has no role \"\(role)\"",
                remedy: "choose one of \(known.joined(separator: ", "))")
        case .rotationInvalid(let role, let problem):
            FailureReport(
                code: "rotationInvalid", subject: role, message: "the keys of \"\(role)\" are not replaced: \(problem)",
                remedy: "correct the options; \"bundletool catalog\" lists roles, keys and thresholds")
        case .binsInvalid(let count, let current):
            FailureReport(
                code: "binsInvalid", subject: "\(count)",
                message: "the catalog cannot have \(count) bins; it has \(current)",
                remedy: "specify a power of two from \(current) to 4096")
        case .exportInvalid(let problem):
            FailureReport(
                code: "exportInvalid", subject: "", message: "nothing is exported: \(problem)",
                remedy: "export the packages of one team, whose key is in the folder")
        case .importInvalid(let file, let problem):
            FailureReport(
                code: "importInvalid", subject: file.string, message: "\"\(file)\" is not imported: \(problem)",
                remedy: "its sender must export it again from the current catalog")
        }
    }

    private static func report(_ error: TUFError, _ folder: FilePath) -> FailureReport {
        let subject = error.subject.isEmpty ? folder.string : error.subject
        let detail = error.detail.isEmpty ? "" : ": \(error.detail)"
        let (what, remedy) =
            switch error.code {
            case .busy:
                ("another process is changing the catalog", "wait until it has finished, and run the command again")
            case .notSigned:
                (
                    "\"\(subject)\" is not signed by enough keys of its role",
                    "sign it with the keys that \"bundletool catalog\" lists"
                )
            case .tooLong:
                ("\"\(subject)\" would be too long for clients", "publish with more bins, such as --bins 256")
            case .editInvalid:
                ("the change of \"\(subject)\" is not valid", "open the catalog again, and repeat the command")
            case .system:
                (
                    "the catalog cannot be read or written",
                    "check that the disk has free space, that files may be that large (\"ulimit -f\"), and that you may read and "
                        + "write there; then run the command again"
                )
            case .passwordWrong: ("the password is wrong", "enter the password that the key was created with")
            default:
                (
                    "\"\(subject)\" cannot be used (\(error.code.rawValue))",
                    "check the files of the catalog, or restore them from a copy"
                )
            }
        return FailureReport(code: "repository", subject: subject, message: what + detail, remedy: remedy)
    }

    /// The exit status of a program that fails with this error.
    public var exitStatus: ExitStatus {
        switch self {
        case .noCatalog, .versionUnknown, .roleUnknown: .notFound
        case .repository(let error, _):
            switch error.code {
            case .notSigned, .passwordWrong: .refused
            case .system: .ioError
            case .busy: .tryLater
            default: .badInput
            }
        case .keysMissing, .passwordWrong, .versionReused, .versionRevoked, .fileReused, .interfaceRefused:
            .refused
        case .file: .ioError
        case .keyInvalid, .librariesMissing, .partOfPackage, .listFull, .importInvalid: .badInput
        case .prefixInvalid, .rotationInvalid, .binsInvalid, .exportInvalid: .usage
        }
    }
}

/// Runs a body whose errors are those of a repository.
func repository<Result>(
    _ folder: FilePath, _ body: () throws(TUFError) -> Result
) throws(PublisherError) -> Result {
    do throws(TUFError) {
        return try body()
    } catch {
        throw .repository(error, folder)
    }
}
