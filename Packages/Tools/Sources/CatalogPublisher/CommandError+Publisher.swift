package import Console
package import PluginCore
import TUFMetadata

extension CommandError {
    /// There is no published catalog in the folder.
    package static func noCatalog(_ folder: FilePath) -> Self {
        Self(
            .notFound, code: "catalogMissing", subject: folder.string,
            message: "there is no catalog in \"\(folder)\"",
            remedy: "correct the path; \"bundletool publish\" creates a catalog with its first package")
    }

    /// The folder lacks keys that must sign a role.
    package static func keysMissing(role: String, keys: [String], needed: Int, _ folder: FilePath) -> Self {
        Self(
            .refused, code: "keysMissing", subject: role,
            message:
                "the role \"\(role)\" must be signed by \(needed) of its keys, and \"\(folder)\" has too few of them",
            remedy: "add the files of the keys to that folder, or let their owners sign: see --export and --import",
            details: keys.map { "key \($0)" })
    }

    /// The password of a key is wrong.
    static func passwordWrong(_ path: FilePath) -> Self {
        Self(
            .refused, code: "passwordWrong", subject: path.string,
            message: "the password of the key \"\(path)\" is wrong",
            remedy: "enter the password that the key was created with; all keys of a command have the same password"
        )
    }

    /// A file is not a key of a supported kind.
    static func keyInvalid(_ path: FilePath, _ problem: String) -> Self {
        Self(
            .badInput, code: "keyInvalid", subject: path.string, message: "\"\(path)\" is not a usable key: \(problem)",
            remedy: "specify a key that \"bundletool keygen\" or \"bundletool publish\" has created")
    }

    /// A file could not be read or written.
    static func fileUnusable(_ path: FilePath, _ problem: String) -> Self {
        Self(
            .ioError, code: "inputOutput", subject: path.string, message: "\"\(path)\" cannot be used: \(problem)",
            remedy: "check the path, the free space and the limit for files, and that you may read and write there")
    }

    /// The version is published with other content.
    static func versionReused(_ identity: BundleIdentity) -> Self {
        Self(
            .refused, code: "versionReused", subject: identity.description,
            message: "\"\(identity)\" is published with other content",
            remedy: "raise the version in manifest.json, and pack and publish it again")
    }

    /// The version was revoked.
    static func versionRevoked(_ identity: BundleIdentity, reason: String) -> Self {
        Self(
            .refused, code: "versionRevoked", subject: identity.description,
            message: "\"\(identity)\" was revoked: \(reason)",
            remedy: "raise the version in manifest.json, and pack and publish it again")
    }

    /// The catalog does not offer the version.
    static func versionUnknown(_ identity: BundleIdentity, offered: [SemanticVersion]) -> Self {
        Self(
            .notFound, code: "versionUnknown", subject: identity.description,
            message: "the catalog does not offer \"\(identity)\"",
            remedy: offered.isEmpty
                ? "\"bundletool catalog\" lists what it offers"
                : "choose one of \(offered.map(\.description).joined(separator: ", "))")
    }

    /// A package has no library for any platform, although its manifest names one.
    static func librariesMissing(_ identity: BundleIdentity, _ libraries: [String]) -> Self {
        Self(
            .badInput, code: "libraryMissing", subject: identity.description,
            message: "\"\(identity)\" has all of its libraries for no platform",
            remedy: "pack it again with \(libraries.joined(separator: ", "))")
    }

    /// A file has only the libraries of some platforms of its package.
    static func partOfPackage(_ identity: BundleIdentity, contained: [String], sealed: [String]) -> Self {
        Self(
            .badInput, code: "packageIncomplete", subject: identity.description,
            message:
                "the file of \"\(identity)\" is only the part for \(contained.joined(separator: ", ")) of a package "
                + "that is for \(sealed.joined(separator: ", "))",
            remedy: "publish the whole package, which \"bundletool pack\" has created")
    }

    /// The Interface of a version cannot be published.
    static func interfaceRefused(_ identity: BundleIdentity, _ problem: String) -> Self {
        Self(
            .refused, code: "interfaceRefused", subject: identity.description,
            message: "the Interface of \"\(identity)\" cannot be published: \(problem)",
            remedy: "publish it with the package that \"bundletool pack --interface\" has written beside it")
    }

    /// A file is published with other content.
    static func fileReused(_ path: String) -> Self {
        Self(
            .refused, code: "versionReused", subject: path, message: "\"\(path)\" is published with other content",
            remedy: "raise the version, and publish it again")
    }

    /// Too many bundles or versions for one list.
    static func listFull(_ path: String, limit: Int) -> Self {
        Self(
            .badInput, code: "catalogFull", subject: path,
            message: "\"\(path)\" would have more than \(limit) elements",
            remedy: "publish into another catalog")
    }

    /// A text is not a prefix of identifiers.
    static func prefixInvalid(_ text: String) -> Self {
        Self(
            .usage, code: "prefixInvalid", subject: text, message: "\"\(text)\" is not a prefix of identifiers",
            remedy: "specify a reverse-domain name such as com.example")
    }

    /// The catalog has no such role.
    static func roleUnknown(_ role: String, known: [String]) -> Self {
        Self(
            .notFound, code: "roleUnknown", subject: role, message: "the catalog has no role \"\(role)\"",
            remedy: "choose one of \(known.joined(separator: ", "))")
    }

    /// The keys cannot become those of the role.
    static func rotationInvalid(role: String, _ problem: String) -> Self {
        Self(
            .usage, code: "rotationInvalid", subject: role,
            message: "the keys of \"\(role)\" are not replaced: \(problem)",
            remedy: "correct the options; \"bundletool catalog\" lists roles, keys and thresholds")
    }

    /// The number of bins cannot be lowered.
    static func binsInvalid(_ count: Int, current: Int) -> Self {
        Self(
            .usage, code: "binsInvalid", subject: "\(count)",
            message: "the catalog cannot have \(count) bins; it has \(current)",
            remedy: "specify a power of two from \(current) to 4096")
    }

    /// The changes are not those of one team.
    package static func exportInvalid(_ problem: String) -> Self {
        Self(
            .usage, code: "exportInvalid", subject: "", message: "nothing is exported: \(problem)",
            remedy: "export the packages of one team, whose key is in the folder")
    }

    /// A file of a team cannot be imported.
    package static func importInvalid(_ file: FilePath, _ problem: String) -> Self {
        Self(
            .badInput, code: "importInvalid", subject: file.string, message: "\"\(file)\" is not imported: \(problem)",
            remedy: "its sender must export it again from the current catalog")
    }

    /// The repository could not be read, changed or published.
    static func repository(_ error: TUFError, _ folder: FilePath) -> Self {
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
        let status: ExitStatus =
            switch error.code {
            case .notSigned, .passwordWrong: .refused
            case .system: .ioError
            case .busy: .tryLater
            default: .badInput
            }
        return Self(status, code: "repository", subject: subject, message: what + detail, remedy: remedy)
    }
}

/// Runs a body whose errors are those of a repository.
func repository<Result>(
    _ folder: FilePath, _ body: () throws(TUFError) -> Result
) throws(CommandError) -> Result {
    do throws(TUFError) {
        return try body()
    } catch {
        throw .repository(error, folder)
    }
}
