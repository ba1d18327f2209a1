import Authoring
import BundleFormat
public import CatalogFormat
import Console
import Deltas
import ExtensionHost
import HostSystem
public import PluginCore
import Preflight

/// A package that a host would read: its archive, its manifest and its contents agree with its seal.
///
/// Each host decides by itself which signers it trusts.
public struct CheckedPackage: Sendable {
    /// The path of the package.
    public let path: FilePath
    /// The entry that describes it.
    public var entry: CatalogEntry
    /// The content of its icon, or nil.
    let icon: [UInt8]?
    /// The files of its parts and of the deltas to it, by the paths of their targets.
    var files: [String: FilePath] = [:]
    /// The package if it has the libraries of several platforms or builds, of which parts are made.
    let severalPlatforms: SealedPackage?

    /// Checks a package completely.
    ///
    /// - Parameters:
    ///   - path: The path of the package.
    ///   - channel: The channel.
    ///   - rollout: The share of installations to which the version is offered, in percent.
    ///   - converters: The converters that its hosts register in addition to the standard ones.
    /// - Throws: `AtriumError` with code `fileUnknown`, `packageInvalid`, `manifestInvalid`, `unsigned`, `sealBroken` or `catalogInvalid`,
    ///   or ``CommandError``.
    public init(
        _ path: FilePath, channel: String = CatalogEntry.stableChannel, rollout: Int = 100, converters: [String] = []
    ) throws {
        let package = try SealedPackage(opening: path, converters: .standard(registering: converters))
        try package.verifyContents()
        try ExtensionRules().require(package.manifest, of: path.lastComponent)
        self.path = path
        entry = try CatalogEntry(of: package, channel: channel, rollout: rollout)
        let (contained, sealed) = (package.platforms, package.seal.platforms)
        guard contained == sealed else {
            throw CommandError(
                .badInput, entry.manifest.identity, reason: "packageIncomplete",
                ["contained": .list(contained), "sealed": .list(sealed)])
        }
        severalPlatforms = sealed.count > 1 ? package : nil
        icon = try package.icon()
        let manifest = entry.manifest
        guard manifest.libraries.isEmpty || !entry.platforms.isEmpty else {
            throw CommandError(
                .badInput, manifest.identity, code: "libraryMissing", reason: "librariesMissing",
                ["libraries": .list(manifest.libraries)])
        }
        // The hosts in the name of a folder use no other.
        for folder in sealed where LibraryBuild.isNamed(in: folder) {
            let missing = manifest.libraries.filter {
                package.seal.file(BundleShape.libraryPath(of: $0, for: folder)) == nil
            }
            guard missing.isEmpty else {
                throw CommandError(
                    .badInput, manifest.identity, code: "libraryMissing", reason: "librariesMissingInFolder",
                    ["folder": "\(folder)", "libraries": .list(missing)])
            }
        }
        entry.hosts = Set(try entry.platforms.compactMap { try package.build(in: $0)?.folder }).sorted()
    }
}

extension SealedPackage {
    /// Returns the build that the libraries in a folder name; `nil` if they do not name the same one.
    ///
    /// - Throws: ``CommandError`` if a folder with a compiler and a Core ABI in its name has libraries of another build.
    fileprivate func build(in folder: String) throws -> LibraryBuild? {
        let named = LibraryBuild(folder)
        let builds = Set(
            try manifest.libraries.map { entry in
                try contents(
                    of: BundleShape.libraryPath(of: entry, for: folder), limit: LibraryPreflight.sizeLimit
                ).flatMap { LibraryPreflight.build(of: $0, for: named.platform) }
            })
        let build = builds.count == 1 ? builds.first.flatMap(\.self) : nil
        guard !LibraryBuild.isNamed(in: folder) || build?.folder == folder else {
            throw CommandError(
                .badInput, manifest.identity, code: "libraryOfOtherBuild", reason: "librariesOfOtherBuild",
                ["folder": "\(folder)", "built": .list(builds.compactMap { $0?.words }.sorted())])
        }
        return build
    }
}

// A host fetches only the part of a package that is for it.
extension CheckedPackage {
    /// Makes the parts of a package with the libraries of several platforms or builds, one for each.
    ///
    /// - Parameter folder: A folder for the files of the parts until they are published.
    public mutating func makeParts(in folder: FilePath) throws {
        guard let severalPlatforms else { return }
        entry.parts = try entry.platforms.map { platform in
            let path = CatalogPath.part(of: entry.manifest.identity, for: platform)
            let file = folder.appending(FilePath(path).lastComponent)
            try severalPlatforms.writePart(for: platform, to: file)
            files[path] = file
            return CatalogPart(
                platform: platform, length: Int(try FileSystem.size(of: file)),
                sha256: try PackageFile(path: file).digest())
        }
    }
}

// Deltas are made before a package is added, because its entry describes them.
extension CatalogEditor {
    /// The number of earlier versions from which deltas are made, unless the publisher says otherwise.
    ///
    /// Most hosts have the last version or the one before it, and each delta costs the publisher seconds.
    public static let usualDeltas = 2
    /// The numbers of earlier versions from which deltas can be made.
    public static let deltaCounts = 0...CatalogLimits.deltas

    /// A delta that is not published.
    public struct SkippedDelta: Sendable {
        /// The version from which it would lead.
        public let base: SemanticVersion
        /// The platform of the part to which it would lead; `nil` for the package.
        public let platform: String?
        /// The reason.
        public let problem: String
    }

    /// Makes deltas to a package from the newest versions before it, unless the catalog has the package already.
    ///
    /// If the package has parts, the deltas lead to these, from what a host of the platform has. A delta that is longer than half of the
    /// package or part is left out. No delta is a reason not to publish the package.
    ///
    /// - Parameters:
    ///   - package: The package, which gets the deltas.
    ///   - count: The number of earlier versions.
    ///   - folder: A folder for the files of the deltas until they are published.
    /// - Returns: The deltas that could not be made.
    public func makeDeltas(
        to package: inout CheckedPackage, from count: Int, in folder: FilePath
    ) throws -> [SkippedDelta] {
        let identity = package.entry.manifest.identity
        guard try target(CatalogPath.package(identity)) == nil else { return [] }
        let (platforms, parts) = (package.entry.platforms, package.entry.parts)
        typealias Goal = (deltas: WritableKeyPath<CatalogEntry, [CatalogDelta]>, platform: String?, file: FilePath?)
        var goals: [Goal] = parts.enumerated().map { index, part in
            (\.parts[index].deltas, part.platform, package.files[CatalogPath.part(of: identity, for: part.platform)])
        }
        if parts.isEmpty { goals = [(\.deltas, platforms.count == 1 ? platforms[0] : nil, package.path)] }
        var skipped: [SkippedDelta] = []
        for version in try versions(of: identity.identifier).offered.filter({ $0 < identity.version }).prefix(count) {
            let base = try entry(of: BundleIdentity(identifier: identity.identifier, version: version))
            for case (let deltas, let platform, let new?) in goals {
                guard let base, let old = base.path(for: platform) else { continue }
                let path = CatalogPath.delta(from: version, to: identity, for: parts.isEmpty ? nil : platform)
                let file = folder.appending(FilePath(path).lastComponent)
                let content = try content(of: old)
                let length: Int
                do {
                    length = try Delta.make(from: .package(content), to: new.string, at: file.string)
                } catch {
                    let platform = base.parts.isEmpty ? nil : platform
                    skipped.append(SkippedDelta(base: version, platform: platform, problem: error.description))
                    continue
                }
                guard length * 2 <= Int(try FileSystem.size(of: new)) else { continue }
                package.files[path] = file
                package.entry[keyPath: deltas].append(
                    CatalogDelta(
                        base: version, baseSeal: base.sealDigest, length: length,
                        sha256: try PackageFile(path: file).digest()))
            }
        }
        return skipped
    }
}

extension CatalogEntry {
    /// Returns the path of the target that the hosts of a platform or build fetch; `nil` if there is none.
    ///
    /// - Parameter platform: The platform or build; `nil` for a package without code.
    fileprivate func path(for platform: String?) -> String? {
        let identity = manifest.identity
        guard parts.isEmpty else {
            return platform.flatMap { LibraryBuild($0).folder(among: platforms) }.flatMap(part)
                .map { CatalogPath.part(of: identity, for: $0.platform) }
        }
        guard let platform, !platforms.isEmpty else { return CatalogPath.package(identity) }
        return LibraryBuild(platform).folder(among: platforms).map { _ in CatalogPath.package(identity) }
    }
}
