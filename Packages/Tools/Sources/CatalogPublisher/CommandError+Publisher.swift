package import Console
package import PluginCore
import TUFMetadata

extension CommandError {
    /// There is no published catalog in the folder.
    package static func noCatalog(_ folder: FilePath) -> Self { Self(.notFound, folder, reason: "catalogMissing") }

    /// The folder lacks keys that must sign a role.
    package static func keysMissing(role: String, keys: [String], needed: Int, _ folder: FilePath) -> Self {
        Self(
            .refused, role, reason: "keysMissing", ["needed": .integer(needed), "folder": "\(folder)"],
            details: keys.map { "key \($0)" })
    }

    /// A file is not a key of a supported kind.
    static func keyInvalid(_ path: FilePath, _ problem: String) -> Self {
        Self(.badInput, path, code: "keyInvalid", reason: "keyUnusable", ["problem": "\(problem)"])
    }

    /// A file could not be written.
    static func fileUnusable(_ path: FilePath, _ problem: String) -> Self {
        Self(.ioError, path, code: "inputOutput", reason: "fileUnusable", ["problem": "\(problem)"])
    }

    /// A file of a team cannot be imported.
    package static func importInvalid(_ file: FilePath, _ problem: String) -> Self {
        Self(.badInput, file, reason: "importInvalid", ["problem": "\(problem)"])
    }

    /// The changes are not those of one team.
    package static func exportInvalid(_ problem: String) -> Self {
        Self(.usage, "", reason: "exportInvalid", ["problem": "\(problem)"])
    }

    /// The version is published with other content.
    static func versionReused(_ identity: BundleIdentity) -> Self {
        Self(.refused, identity, code: "versionReused", reason: "publishedDiffers")
    }

    /// An archive is not that of an Interface, or breaks a rule for Interfaces.
    package static func interfaceInvalid(_ subject: String, problems: [String]) -> Self {
        Self(.badInput, subject, reason: "componentInvalid", details: problems)
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
                "code": "\(error.code.rawValue)",
                "detail": .text(error.detail.isEmpty ? "" : ": \(error.detail)"),
            ])
    }
}

/// Runs a body whose errors are those of the repository in a folder.
func reporting<Result>(_ folder: FilePath, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as TUFError {
        throw CommandError.repository(error, folder)
    }
}
