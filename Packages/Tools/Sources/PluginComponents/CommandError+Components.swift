package import Console
package import PluginCore

extension CommandError {
    /// An archive is not that of an Interface, or breaks a rule for Interfaces.
    package static func interfaceInvalid(_ subject: String, problems: [String]) -> Self {
        Self(.badInput, subject, reason: "componentInvalid", details: problems)
    }

    /// An archive is another one than signed metadata describe.
    package static func interfaceDiffers(_ subject: String, problems: [String]) -> Self {
        Self(.refused, subject, reason: "componentMismatch", details: problems)
    }

    /// A file is not the archive of an SDK.
    package static func notSDK(_ path: FilePath, _ problem: String) -> Self {
        Self(.badInput, path, reason: "sdkInvalid", ["problem": .text(problem)])
    }

    /// The plugin's folder has no sources of an Interface.
    package static func noSources(_ folder: FilePath, module: String) -> Self {
        Self(.notFound, folder, code: "interfaceMissing", reason: "sourcesMissing", ["module": .text(module)])
    }

    /// The package already has a module of the same name.
    package static func nameTaken(module: String, by owner: String) -> Self {
        Self(.badInput, module, reason: "nameTaken", ["owner": .text(owner)])
    }

    /// The lock file cannot be read.
    package static func lockInvalid(_ path: FilePath, _ problem: String) -> Self {
        Self(.badInput, path, code: "lockInvalid", reason: "lockUnreadable", ["problem": .text(problem)])
    }

    /// The lock file names no such component.
    package static func notAdded(_ identifier: BundleIdentifier, added: [BundleIdentifier]) -> Self {
        Self(
            .notFound, identifier, code: "componentUnknown",
            reason: added.isEmpty ? "nothingAdded" : "componentUnknown", ["added": .list(added.map(\.text))])
    }

    /// The manifest cannot be changed.
    package static func manifestInvalid(_ path: FilePath) -> Self {
        Self(.badInput, path, code: "manifestInvalid", reason: "manifestUnchangeable")
    }

    /// A component of the lock file is not there.
    package static func componentMissing(_ folder: FilePath, module: String) -> Self {
        Self(.notFound, module, reason: "componentMissing", ["folder": .text(folder.string)])
    }
}

// Catalogs from which components are fetched.
extension CommandError {
    /// The catalog has no version of a plugin.
    package static func pluginUnknown(_ identifier: BundleIdentifier, catalog: String) -> Self {
        Self(.notFound, identifier, reason: "pluginUnknown", ["catalog": .text(catalog)])
    }

    /// No version of the plugin in a range has an Interface.
    package static func noInterface(_ identifier: BundleIdentifier, versions: [SemanticVersion]) -> Self {
        Self(.notFound, identifier, reason: "interfaceMissing", ["versions": .text(list(versions))])
    }

    /// No version is in a range.
    package static func nothingInRange(_ subject: String, range: String, offered: [SemanticVersion]) -> Self {
        Self(
            .notFound, subject, code: "versionUnknown", reason: offered.isEmpty ? "catalogEmpty" : "nothingInRange",
            ["range": .text(range), "offered": .text(list(offered))])
    }

    /// The catalog has no longer what the lock file names.
    package static func versionGone(_ identity: BundleIdentity, catalog: String) -> Self {
        Self(
            .notFound, identity, code: "versionUnknown", reason: "versionGone",
            ["catalog": .text(catalog), "identifier": .text(identity.identifier)])
    }

    /// No catalog is named.
    package static var catalogMissing: Self {
        Self(.usage, "--catalog", code: "catalogMissing", reason: "catalogUnnamed")
    }

    /// An address is not that of a catalog.
    package static func catalogInvalid(_ text: String) -> Self {
        Self(.usage, text, code: "catalogInvalid", reason: "catalogAddressInvalid")
    }

    /// Nothing says which root a catalog has.
    package static func rootMissing(catalog: String) -> Self {
        Self(.refused, catalog, code: "catalogUntrusted", reason: "rootMissing")
    }

    /// Another root is pinned.
    package static func rootPinned(_ path: FilePath) -> Self {
        Self(.refused, path, code: "catalogUntrusted", reason: "rootPinned")
    }

    /// Nothing says which teams are trusted.
    package static var trustMissing: Self {
        Self(.refused, "--trust", code: "teamUnknown", reason: "trustMissing")
    }

    private static func list(_ versions: [SemanticVersion]) -> String {
        let most = 10
        let words = versions.prefix(most).map(\.description).joined(separator: ", ")
        return versions.count > most ? words + ", ..." : words
    }
}
