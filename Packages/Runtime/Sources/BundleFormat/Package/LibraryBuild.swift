import HostSystem
package import PluginCore

/// The hosts for which libraries were built, whose name is that of the libraries' folder in `lib`.
///
/// A folder named by a triple is for the hosts of a platform with the manifest's Core ABI. A folder with the compiler and the Core ABI in its
/// name is for the hosts that have exactly these, whatever the manifest says, so that one package serves hosts of several releases.
///
/// ```swift
/// LibraryBuild("x86_64-unknown-linux-gnu_clang-21.0.0-0a1b2c3d_core-3").coreABI    // 3
/// LibraryBuild("x86_64-unknown-linux-gnu").coreABI                                 // nil
/// ```
public struct LibraryBuild: Hashable, Sendable {
    /// The triple of the platform.
    public let platform: String
    /// The compiler as a word; `nil` if any is possible.
    public let compiler: String?
    /// The ABI version of Core; `nil` for the manifest's.
    public let coreABI: UInt32?

    /// The build that this process loads.
    public static let host = Self(
        platform: Platform.triple, compiler: CoreVersion.compiler, coreABI: CoreVersion.abi)

    private static let mark = "core-"

    /// Creates the build for hosts of one compiler and Core ABI.
    ///
    /// - Parameter compiler: the version text of the compiler, as libraries and hosts record it.
    public init(platform: String, compiler: String, coreABI: UInt32) {
        self.platform = platform
        self.compiler = Self.folderComponent(of: compiler)
        self.coreABI = coreABI
    }

    /// Creates the build of a folder; a name of any other form is that of a platform.
    public init(_ folder: String) {
        // Triples have underscores, too.
        let parts = folder.split(separator: "_", omittingEmptySubsequences: false)
        if parts.count > 2, !parts[parts.count - 2].isEmpty, let last = parts.last, last.hasPrefix(Self.mark),
            let abi = UInt32(last.dropFirst(Self.mark.count)), last == Self.mark + "\(abi)"
        {
            platform = parts.dropLast(2).joined(separator: "_")
            compiler = String(parts[parts.count - 2])
            coreABI = abi
        } else {
            (platform, compiler, coreABI) = (folder, nil, nil)
        }
    }

    /// Returns whether the name of a folder claims a compiler and a Core ABI, in the right form or not.
    public static func isNamed(in folder: String) -> Bool { folder.contains("_\(mark)") }

    /// The name of the folder.
    public var folder: String {
        guard let compiler, let coreABI else { return platform }
        return "\(platform)_\(compiler)_\(Self.mark)\(coreABI)"
    }

    /// The build in words.
    public var words: String {
        guard let compiler, let coreABI else { return platform }
        return "\(platform), \(compiler), Core ABI \(coreABI)"
    }

    /// Returns which of some folders a host of this build uses: that of its build, or else that of its platform.
    public func folder(among folders: some Sequence<String>) -> String? {
        let usable = folders.filter { $0 == folder || $0 == platform }
        return usable.max { $0.utf8.count < $1.utf8.count }
    }

    /// Returns name and version of a compiler, and the first digits of the SHA-256 of its whole text, which differs between releases.
    private static func folderComponent(of text: String) -> String {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.-")
        let name = text.lowercased().split(separator: " ").prefix(2).joined(separator: "-").filter(allowed.contains)
        let digest = (try? ContentDigest.of(Array(text.utf8))) ?? ""
        return "\(name.prefix(12))-\(digest.prefix(8))"
    }
}

extension Seal {
    /// The folder in `lib` that this host stores and loads; `nil` if none is for it.
    package var ownFolder: String? { LibraryBuild.host.folder(among: platforms) }
}

extension PackageFile {
    /// Returns the folder in `lib` that this host would store, or that of its platform if none is for it.
    package func ownFolder() throws(AtriumError) -> String {
        LibraryBuild.host.folder(among: try files().compactMap { Seal.platform(of: $0.name) }) ?? Platform.triple
    }
}

extension BundleShape {
    /// Returns the path in an unpacked bundle of a library that this host loads.
    ///
    /// - Throws: ``AtriumError`` with code `libraryMissing` if only the libraries for another host are there, such as the one before an upgrade.
    package static func libraryPath(
        of entry: String, of bundle: BundleIdentity, in folder: FilePath
    ) throws(AtriumError) -> String {
        let (host, lib) = (LibraryBuild.host, folder.appending("lib"))
        for name in [host.folder, host.platform] where try FileSystem.item(at: lib.appending(name)) != nil {
            return libraryPath(of: entry, for: name)
        }
        guard let others = try? FileSystem.names(in: lib), !others.isEmpty else { return libraryPath(of: entry) }
        throw AtriumError(
            .init("libraryMissing"), bundle, reason: "installedForOther",
            [
                "builds": .list(others.map { LibraryBuild($0).words }), "host": .text(host.words),
                "bundle": .text(bundle.identifier),
            ])
    }
}
