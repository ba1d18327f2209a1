package import Console
package import PluginCore

extension CommandError {
    /// An archive is not that of an Interface, or breaks a rule for Interfaces.
    package static func interfaceInvalid(_ subject: String, problems: [String]) -> Self {
        Self(
            .badInput, code: "componentInvalid", subject: subject,
            message: "\(quoted(subject)) is not a valid Interface",
            remedy: "its team must pack it again with \"bundletool pack --interface\"", details: problems)
    }

    /// An archive is another one than signed metadata describe.
    package static func interfaceDiffers(_ subject: String, problems: [String]) -> Self {
        Self(
            .refused, code: "componentMismatch", subject: subject,
            message: "\(quoted(subject)) is not what the catalog describes",
            remedy: "tell the owner of the catalog; nothing was changed", details: problems)
    }

    /// A file is not the archive of an SDK.
    package static func notSDK(_ path: FilePath, _ problem: String) -> Self {
        Self(
            .badInput, code: "sdkInvalid", subject: path.string,
            message: "\"\(path)\" is not the archive of an SDK: \(problem)",
            remedy: "specify an archive that \"Scripts/sdk\" has made")
    }

    /// The plugin's folder has no sources of an Interface.
    package static func noSources(_ folder: FilePath, module: String) -> Self {
        Self(
            .notFound, code: "interfaceMissing", subject: folder.string,
            message: "there are no Swift sources in \"\(folder)\", the folder of the Interface \(module)",
            remedy: "create the target \(module), or pack without --interface")
    }

    /// The catalog has no version of a plugin.
    package static func pluginUnknown(_ identifier: BundleIdentifier, catalog: String) -> Self {
        Self(
            .notFound, code: "pluginUnknown", subject: identifier.text,
            message: "the catalog \"\(catalog)\" has no plugin \"\(identifier)\"",
            remedy: "correct the identifier, or name another catalog with --catalog")
    }

    /// No version of the plugin in a range has an Interface.
    package static func noInterface(_ identifier: BundleIdentifier, versions: [SemanticVersion]) -> Self {
        Self(
            .notFound, code: "interfaceMissing", subject: identifier.text,
            message: "\"\(identifier)\" was published without an Interface: \(Self.list(versions))",
            remedy: "ask its team to publish one with \"bundletool pack --interface\"")
    }

    /// No version is in a range.
    package static func nothingInRange(_ subject: String, range: String, offered: [SemanticVersion]) -> Self {
        Self(
            .notFound, code: "versionUnknown", subject: subject,
            message: "no version of \"\(subject)\" is in the range \(quoted(range))",
            remedy: offered.isEmpty
                ? "name another catalog with --catalog" : "choose a range with one of \(Self.list(offered))")
    }

    /// The catalog has no longer what the lock file names.
    package static func versionGone(_ identity: BundleIdentity, catalog: String) -> Self {
        Self(
            .notFound, code: "versionUnknown", subject: identity.description,
            message: "the catalog \"\(catalog)\" no longer has the Interface of \"\(identity)\" that was added",
            remedy: "run \"bundletool add \(identity.identifier)\" for another version")
    }

    /// The package already has a module of the same name.
    package static func nameTaken(module: String, by owner: String) -> Self {
        Self(
            .badInput, code: "nameTaken", subject: module, message: "\(owner) is already called \"\(module)\"",
            remedy: "rename yours; two modules of one name cannot be in one package")
    }

    /// The lock file cannot be read.
    package static func lockInvalid(_ path: FilePath, _ problem: String) -> Self {
        Self(
            .badInput, code: "lockInvalid", subject: path.string, message: "\"\(path)\" cannot be read: \(problem)",
            remedy: "restore it from version control, or delete it and add the components again")
    }

    /// The lock file names no such component.
    package static func notAdded(_ identifier: BundleIdentifier, added: [BundleIdentifier]) -> Self {
        Self(
            .notFound, code: "componentUnknown", subject: identifier.text, message: "\"\(identifier)\" was not added",
            remedy: added.isEmpty
                ? "nothing was added" : "choose one of \(added.map(\.text).joined(separator: ", "))")
    }

    /// No catalog is named.
    package static let catalogMissing = Self(
        .usage, code: "catalogMissing", subject: "--catalog", message: "no catalog is named",
        remedy: "add --catalog URL; later commands in the same package use it again")

    /// An address is not that of a catalog.
    package static func catalogInvalid(_ text: String) -> Self {
        Self(
            .usage, code: "catalogInvalid", subject: text, message: "\(quoted(text)) is not the address of a catalog",
            remedy: "specify an address such as https://plugins.example.org, or the folder of a published catalog")
    }

    /// Nothing says which root a catalog has.
    package static func rootMissing(catalog: String) -> Self {
        Self(
            .refused, code: "catalogUntrusted", subject: catalog,
            message: "no root of the catalog \"\(catalog)\" is pinned",
            remedy: "add --root 1.root.json with the file that you got from the catalog's owner")
    }

    /// Another root is pinned.
    package static func rootPinned(_ path: FilePath) -> Self {
        Self(
            .refused, code: "catalogUntrusted", subject: path.string, message: "another root is pinned in \"\(path)\"",
            remedy: "leave out --root, or delete that file if you trust the new root")
    }

    /// Nothing says which teams are trusted.
    package static let trustMissing = Self(
        .refused, code: "teamUnknown", subject: "--trust", message: "no team is trusted",
        remedy:
            "add --trust trust.json with a host's file, or --key team.pub --team ID with the team's public key")

    /// The manifest cannot be changed.
    package static func manifestInvalid(_ path: FilePath) -> Self {
        Self(
            .badInput, code: "manifestInvalid", subject: path.string,
            message: "\"\(path)\" is not a manifest to which a requirement can be added",
            remedy: "\"bundletool lint\" lists its problems")
    }

    /// A component of the lock file is not there.
    package static func componentMissing(_ folder: FilePath, module: String) -> Self {
        Self(
            .notFound, code: "componentMissing", subject: module,
            message: "the Interface \"\(folder)\" was not fetched",
            remedy: "run \"bundletool add\" in the plugin's folder, which fetches all that the lock file names")
    }

    private static func list(_ versions: [SemanticVersion]) -> String {
        let most = 10
        let words = versions.prefix(most).map(\.description).joined(separator: ", ")
        return versions.count > most ? words + ", ..." : words
    }
}
