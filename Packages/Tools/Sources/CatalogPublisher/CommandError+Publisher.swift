package import Console
package import PluginCore
import TUFMetadata

extension CommandError {
    /// There is no published catalog in the folder.
    package static func noCatalog(_ folder: FilePath) -> Self { Self(.notFound, folder, reason: "catalogMissing") }

    /// The folder lacks keys that must sign a role.
    package static func keysMissing(role: String, keys: [String], needed: Int, _ folder: FilePath) -> Self {
        Self(
            .refused, role, reason: "keysMissing", ["needed": .integer(needed), "folder": .text(folder.string)],
            details: keys.map { "key \($0)" })
    }

    /// The password of a key is wrong.
    static func passwordWrong(_ path: FilePath) -> Self {
        Self(.refused, path, code: "passwordWrong", reason: "catalogPasswordWrong")
    }

    /// A file is not a key of a supported kind.
    static func keyInvalid(_ path: FilePath, _ problem: String) -> Self {
        Self(.badInput, path, code: "keyInvalid", reason: "keyUnusable", ["problem": .text(problem)])
    }

    /// A file could not be read or written.
    static func fileUnusable(_ path: FilePath, _ problem: String) -> Self {
        Self(.ioError, path, code: "inputOutput", reason: "fileUnusable", ["problem": .text(problem)])
    }

    /// A file of a team cannot be imported.
    package static func importInvalid(_ file: FilePath, _ problem: String) -> Self {
        Self(.badInput, file, reason: "importInvalid", ["problem": .text(problem)])
    }

    /// The changes are not those of one team.
    package static func exportInvalid(_ problem: String) -> Self {
        Self(.usage, "", reason: "exportInvalid", ["problem": .text(problem)])
    }
}

// Packages and components.
extension CommandError {
    /// The version is published with other content.
    static func versionReused(_ identity: BundleIdentity) -> Self {
        Self(.refused, identity, code: "versionReused", reason: "publishedDiffers")
    }

    /// The version was revoked.
    static func versionRevoked(_ identity: BundleIdentity, reason: String) -> Self {
        Self(.refused, identity, code: "versionRevoked", reason: "publicationRevoked", ["problem": .text(reason)])
    }

    /// The catalog does not offer the version.
    static func versionUnknown(_ identity: BundleIdentity, offered: [SemanticVersion]) -> Self {
        Self(
            .notFound, identity, code: "versionUnknown",
            reason: offered.isEmpty ? "nothingOffered" : "versionUnknown",
            ["offered": .list(offered.map(\.description))])
    }

    /// A package has no library for any platform, although its manifest names one.
    static func librariesMissing(_ identity: BundleIdentity, _ libraries: [String]) -> Self {
        Self(
            .badInput, identity, code: "libraryMissing", reason: "librariesMissing", ["libraries": .list(libraries)])
    }

    /// A file has only the libraries of some platforms of its package.
    static func partOfPackage(_ identity: BundleIdentity, contained: [String], sealed: [String]) -> Self {
        Self(
            .badInput, identity, reason: "packageIncomplete",
            ["contained": .list(contained), "sealed": .list(sealed)])
    }

    /// The Interface of a version cannot be published.
    static func interfaceRefused(_ identity: BundleIdentity, _ problem: String) -> Self {
        Self(.refused, identity, reason: "interfaceRefused", ["problem": .text(problem)])
    }

    /// A file is published with other content.
    static func fileReused(_ path: String) -> Self {
        Self(.refused, path, code: "versionReused", reason: "fileReused")
    }

    /// Too many bundles or versions for one list.
    static func listFull(_ path: String, limit: Int) -> Self {
        Self(.badInput, path, reason: "catalogFull", ["limit": .integer(limit)])
    }
}

// Roles and keys.
extension CommandError {
    /// A text is not a prefix of identifiers.
    static func prefixInvalid(_ text: String) -> Self { Self(.usage, text, reason: "prefixInvalid") }

    /// The catalog has no such role.
    static func roleUnknown(_ role: String, known: [String]) -> Self {
        Self(.notFound, role, reason: "roleUnknown", ["known": .list(known)])
    }

    /// The keys cannot become those of the role.
    static func rotationInvalid(role: String, _ problem: String) -> Self {
        Self(.usage, role, reason: "rotationInvalid", ["problem": .text(problem)])
    }

    /// The number of bins cannot be lowered.
    static func binsInvalid(_ count: Int, current: Int) -> Self {
        Self(.usage, count, reason: "binsInvalid", ["current": .integer(current)])
    }

    /// The repository could not be read, changed or published.
    static func repository(_ error: TUFError, _ folder: FilePath) -> Self {
        let (status, reason): (ExitStatus, String) =
            switch error.code {
            case .busy: (.tryLater, "repositoryBusy")
            case .notSigned: (.refused, "repositoryUnsigned")
            case .tooLong: (.badInput, "repositoryTooLong")
            case .editInvalid: (.badInput, "repositoryEditInvalid")
            case .system: (.ioError, "repositoryUnreadable")
            case .passwordWrong: (.refused, "repositoryLocked")
            default: (.badInput, "repositoryUnusable")
            }
        return Self(
            status, error.subject.isEmpty ? folder.string : error.subject, code: "repository", reason: reason,
            [
                "code": .text(error.code.rawValue),
                "detail": .text(error.detail.isEmpty ? "" : ": \(error.detail)"),
            ])
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
