public import BundleFormat
import HostSystem
public import PluginCore
import PluginRuntime
public import PluginRouter

extension CatalogEntry {
    /// Describes a package.
    ///
    /// - Parameters:
    ///   - package: The package, whose contents and signer are not verified here.
    ///   - channel: The channel.
    ///   - rollout: The share of installations to which the version is offered, in percent.
    /// - Throws: ``AtriumError`` with code `catalogInvalid` for a channel or share that doesn't exist, `sealBroken` or `packageInvalid`
    ///   if a text table or the icon cannot be read.
    public init(
        of package: SealedPackage, channel: String = stableChannel, rollout: Int = 100
    ) throws(AtriumError) {
        let manifest = package.manifest
        var problems: [ErrorReason] = []
        if !CatalogWords.isChannel(channel) {
            problems.append(.at("channel", ErrorReason("notChannel", ["text": .text(channel)])))
        }
        if !Self.rollouts.contains(rollout) {
            problems.append(.at("rollout", ErrorReason("notInRange", ["low": 0, "high": 100])))
        }
        guard problems.isEmpty else { throw AtriumError(.catalogInvalid, manifest.identity, problems: problems) }
        self.init(
            manifest: manifest, manifestText: package.manifestSource, sealDigest: package.digest,
            team: package.seal.team, channel: channel, rollout: rollout, platforms: package.completePlatforms,
            texts: try package.localizedTexts(),
            icon: package.hasIcon ? CatalogPath.icon(of: manifest.identity) : nil, others: JSONObject())
    }

    /// Checks that a downloaded package is the described one: the same identity, manifest, team and seal.
    ///
    /// The package's signer and its contents are checked when it is installed.
    ///
    /// - Throws: ``AtriumError`` with code `catalogMismatch` and every difference, or those of
    ///   ``BundleFormat/SealedPackage/init(opening:converters:)``.
    public func requireSame(as package: PackageFile, converters: RouteConverters = .standard) throws(AtriumError) {
        let found = try SealedPackage(opening: package.path, converters: converters)
        var problems: [ErrorReason] = []
        func require(_ isSame: Bool, _ name: String, _ expected: String, _ found: String) {
            guard !isSame else { return }
            problems.append(
                .at(name, ErrorReason("valueDiffers", ["expected": .text(expected), "found": .text(found)])))
        }
        let (expected, identity) = (manifest.identity, found.manifest.identity)
        require(expected == identity, "identity", "\(expected)", "\(identity)")
        require(sealDigest == found.digest, "seal", sealDigest, found.digest)
        require(team == found.seal.team, "team", team, found.seal.team)
        if manifestText != found.manifestSource {
            problems.append(.at("manifest.json", ErrorReason("differsFromCatalog")))
        }
        guard problems.isEmpty else { throw AtriumError(.catalogMismatch, expected, problems: problems) }
    }
}

extension SealedPackage {
    /// The platforms and builds for which the package has all libraries that its manifest names.
    fileprivate var completePlatforms: [String] {
        guard !manifest.libraries.isEmpty else { return [] }
        let complete = seal.platforms.filter { platform in
            CatalogWords.isPlatform(platform)
                && manifest.libraries.allSatisfy { seal.file(BundleShape.libraryPath(of: $0, for: platform)) != nil }
        }
        return Array(complete.sorted { $0.isBefore($1) }.prefix(CatalogLimits.platforms))
    }

    /// Returns the names and summaries in the package's string tables.
    fileprivate func localizedTexts() throws(AtriumError) -> [String: LocalizedTexts] {
        var texts: [String: LocalizedTexts] = [:]
        for file in seal.files where texts.count < CatalogLimits.languages {
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "Resources", parts[1].hasSuffix(".lproj"),
                parts[2] == "Localizable.json"
            else { continue }
            let language = String(parts[1].dropLast(".lproj".count))
            // A table that a host cannot use has no texts for a catalog either.
            guard CatalogWords.isLanguage(language),
                let bytes = try contents(of: file.path, limit: ManifestReader.sizeLimit),
                let table = try? StrictJSON.decode([String: String].self, from: bytes)
            else { continue }
            let found = LocalizedTexts(
                name: table[LocalizedTexts.nameKey].flatMap { $0.utf8.count <= CatalogLimits.name ? $0 : nil },
                summary: table[LocalizedTexts.summaryKey].flatMap { $0.utf8.count <= CatalogLimits.summary ? $0 : nil })
            if found.name != nil || found.summary != nil { texts[language] = found }
        }
        return texts
    }
}

extension SealedPackage {
    /// The path of the icon in a package.
    private static let iconPath = "Resources/icon.png"

    /// A Boolean value that indicates whether the package has an icon that a catalog can show.
    fileprivate var hasIcon: Bool { seal.file(Self.iconPath).map { $0.size <= CatalogLimits.iconSize } ?? false }

    /// Returns the content of the package's icon, or nil if it has none that a catalog can show.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` or `packageInvalid`.
    public func icon() throws(AtriumError) -> [UInt8]? {
        guard hasIcon else { return nil }
        return try contents(of: Self.iconPath, limit: CatalogLimits.iconSize)
    }
}
