public import Console
public import PluginCore

/// An error of components: Interfaces and SDKs that builds need.
public enum ComponentError: Error, Equatable, Sendable {
    /// An archive is not that of an Interface, or breaks a rule for Interfaces.
    case invalid(String, problems: [String])
    /// An archive is another one than signed metadata describe.
    case differs(String, problems: [String])
    /// A file is not the archive of an SDK.
    case notSDK(FilePath, String)
    /// The plugin's folder has no sources of an Interface.
    case noSources(FilePath, module: String)
    /// The catalog has no version of a plugin.
    case pluginUnknown(BundleIdentifier, catalog: String)
    /// No version of the plugin in a range has an Interface.
    case noInterface(BundleIdentifier, versions: [SemanticVersion])
    /// No version is in a range.
    case nothingInRange(String, range: String, offered: [SemanticVersion])
    /// The catalog has no longer what the lock file names.
    case versionGone(BundleIdentity, catalog: String)
    /// The package already has a module of the same name.
    case nameTaken(module: String, by: String)
    /// The lock file cannot be read.
    case lockInvalid(FilePath, String)
    /// The lock file names no such component.
    case notAdded(BundleIdentifier, added: [BundleIdentifier])
    /// No catalog is named.
    case catalogMissing
    /// An address is not that of a catalog.
    case catalogInvalid(String)
    /// Nothing says which root a catalog has.
    case rootMissing(catalog: String)
    /// Another root is pinned.
    case rootPinned(FilePath)
    /// Nothing says which teams are trusted.
    case trustMissing
    /// The manifest cannot be changed.
    case manifestInvalid(FilePath)
    /// A component of the lock file is not there.
    case componentMissing(FilePath, module: String)
}

extension ComponentError: ReportableError {
    /// The report for people and scripts.
    public var report: FailureReport {
        switch self {
        case .invalid(let subject, let problems):
            FailureReport(
                code: "componentInvalid", subject: subject, message: "\(quoted(subject)) is not a valid Interface",
                remedy: "its team must pack it again with \"bundletool pack --interface\"", details: problems)
        case .differs(let subject, let problems):
            FailureReport(
                code: "componentMismatch", subject: subject,
                message: "\(quoted(subject)) is not what the catalog describes",
                remedy: "tell the owner of the catalog; nothing was changed", details: problems)
        case .notSDK(let path, let problem):
            FailureReport(
                code: "sdkInvalid", subject: path.string,
                message: "\"\(path)\" is not the archive of an SDK: \(problem)",
                remedy: "specify an archive that \"Scripts/sdk\" has made")
        case .noSources(let folder, let module):
            FailureReport(
                code: "interfaceMissing", subject: folder.string,
                message: "there are no Swift sources in \"\(folder)\", the folder of the Interface \(module)",
                remedy: "create the target \(module), or pack without --interface")
        case .pluginUnknown(let identifier, let catalog):
            FailureReport(
                code: "pluginUnknown", subject: identifier.text,
                message: "the catalog \"\(catalog)\" has no plugin \"\(identifier)\"",
                remedy: "correct the identifier, or name another catalog with --catalog")
        case .noInterface(let identifier, let versions):
            FailureReport(
                code: "interfaceMissing", subject: identifier.text,
                message: "\"\(identifier)\" was published without an Interface: \(Self.list(versions))",
                remedy: "ask its team to publish one with \"bundletool pack --interface\"")
        case .nothingInRange(let subject, let range, let offered):
            FailureReport(
                code: "versionUnknown", subject: subject,
                message: "no version of \"\(subject)\" is in the range \(quoted(range))",
                remedy: offered.isEmpty
                    ? "name another catalog with --catalog" : "choose a range with one of \(Self.list(offered))")
        case .versionGone(let identity, let catalog):
            FailureReport(
                code: "versionUnknown", subject: identity.description,
                message: "the catalog \"\(catalog)\" no longer has the Interface of \"\(identity)\" that was added",
                remedy: "run \"bundletool add \(identity.identifier)\" for another version")
        case .nameTaken(let module, let owner):
            FailureReport(
                code: "nameTaken", subject: module, message: "\(owner) is already called \"\(module)\"",
                remedy: "rename yours; two modules of one name cannot be in one package")
        case .lockInvalid(let path, let problem):
            FailureReport(
                code: "lockInvalid", subject: path.string, message: "\"\(path)\" cannot be read: \(problem)",
                remedy: "restore it from version control, or delete it and add the components again")
        case .notAdded(let identifier, let added):
            FailureReport(
                code: "componentUnknown", subject: identifier.text, message: "\"\(identifier)\" was not added",
                remedy: added.isEmpty
                    ? "nothing was added" : "choose one of \(added.map(\.text).joined(separator: ", "))")
        case .catalogMissing:
            FailureReport(
                code: "catalogMissing", subject: "--catalog", message: "no catalog is named",
                remedy: "add --catalog URL; later commands in the same package use it again")
        case .catalogInvalid(let text):
            FailureReport(
                code: "catalogInvalid", subject: text, message: "\(quoted(text)) is not the address of a catalog",
                remedy: "specify an address such as https://plugins.example.org, or the folder of a published catalog")
        case .rootMissing(let catalog):
            FailureReport(
                code: "catalogUntrusted", subject: catalog, message: "no root of the catalog \"\(catalog)\" is pinned",
                remedy: "add --root 1.root.json with the file that you got from the catalog's owner")
        case .rootPinned(let path):
            FailureReport(
                code: "catalogUntrusted", subject: path.string, message: "another root is pinned in \"\(path)\"",
                remedy: "leave out --root, or delete that file if you trust the new root")
        case .trustMissing:
            FailureReport(
                code: "teamUnknown", subject: "--trust", message: "no team is trusted",
                remedy:
                    "add --trust trust.json with a host's file, or --key team.pub --team ID with the team's public key")
        case .manifestInvalid(let path):
            FailureReport(
                code: "manifestInvalid", subject: path.string,
                message: "\"\(path)\" is not a manifest to which a requirement can be added",
                remedy: "\"bundletool lint\" lists its problems")
        case .componentMissing(let folder, let module):
            FailureReport(
                code: "componentMissing", subject: module, message: "the Interface \"\(folder)\" was not fetched",
                remedy: "run \"bundletool add\" in the plugin's folder, which fetches all that the lock file names")
        }
    }

    private static func list(_ versions: [SemanticVersion]) -> String {
        let most = 10
        let words = versions.prefix(most).map(\.description).joined(separator: ", ")
        return versions.count > most ? words + ", ..." : words
    }

    /// The exit status of a program that fails with this error.
    public var exitStatus: ExitStatus {
        switch self {
        case .invalid, .notSDK, .nameTaken, .lockInvalid, .manifestInvalid: .badInput
        case .differs, .rootMissing, .rootPinned, .trustMissing: .refused
        case .noSources, .pluginUnknown, .noInterface, .nothingInRange, .versionGone, .notAdded, .componentMissing:
            .notFound
        case .catalogMissing, .catalogInvalid: .usage
        }
    }
}
