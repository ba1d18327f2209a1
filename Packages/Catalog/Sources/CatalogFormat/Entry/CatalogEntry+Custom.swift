import BundleFormat
public import HostSystem
public import PluginCore
public import PluginRouter

extension CatalogEntry {
    /// Reads the custom data of a package's target.
    ///
    /// - Parameters:
    ///   - custom: The custom data.
    ///   - path: The path of the target, which the manifest must agree with.
    ///   - converters: The types that a pattern's captures may have; `nil` for those of any host, in a program that is not a host.
    /// - Throws: ``AtriumError`` with code `catalogInvalid` and all problems, or `manifestInvalid`.
    public init(custom: JSONObject, path: String, converters: RouteConverters? = nil) throws(AtriumError) {
        let fields = CatalogFields(custom: custom)
        let manifestText = fields.text("manifest", limit: ManifestReader.sizeLimit)
        let sealDigest = fields.digest("seal")
        let (team, channel) = (fields.team(), fields.channel())
        let rollout = fields.integer("rollout", in: Self.rollouts)
        let (platforms, hosts) = (fields.platforms("platforms"), fields.platforms("hosts", isRequired: false))
        let texts = fields.localizedTexts()
        let icon = fields.optionalText("icon", limit: CatalogLimits.path, or: "notBesidePackage") {
            Self.isIcon($0, besides: path)
        }
        let deltas = fields.deltas()
        let parts = fields.parts(of: platforms)
        try fields.check(path)
        let bytes = Array(manifestText.utf8)
        let converters = converters ?? .standard(registering: ConverterNames.names(in: manifestText))
        let manifest = try ManifestReader.read(bytes, of: path, converters: converters)
        guard CatalogPath.package(manifest.identity).hasSameBytes(as: path) else {
            throw AtriumError(
                .catalogInvalid, path, reason: "manifestOfOther", ["bundle": .text("\(manifest.identity)")])
        }
        guard platforms.isEmpty || !manifest.libraries.isEmpty else {
            throw AtriumError(.catalogInvalid, path, problems: [.at("platforms", ErrorReason("bundleWithoutCode"))])
        }
        self.init(
            manifest: manifest, manifestText: bytes, sealDigest: sealDigest, team: team, channel: channel,
            rollout: rollout, platforms: platforms, texts: texts, icon: icon, deltas: deltas, parts: parts,
            hosts: hosts, others: fields.others)
    }

    /// Returns whether a path is that of a file in the folder of a package.
    private static func isIcon(_ path: String, besides package: String) -> Bool {
        let (icon, package) = (
            path.split(separator: "/", omittingEmptySubsequences: false), package.split(separator: "/")
        )
        return icon.count == 2 && icon.first == package.first && icon[1].hasSuffix(".png")
    }

    /// The custom data of the package's target.
    public var custom: JSONObject {
        var members: [(String, JSONValue)] = [
            ("manifest", .string(String(decoding: manifestText, as: UTF8.self))),
            ("seal", .string(sealDigest)),
            ("team", .string(team)),
            ("channel", .string(channel)),
            ("rollout", .integer(rollout)),
            ("platforms", .array(platforms.map { .string($0) })),
        ]
        var languages = JSONObject()
        for (language, texts) in texts {
            var fields = JSONObject()
            fields["name"] = texts.name.map { .string($0) }
            fields["summary"] = texts.summary.map { .string($0) }
            languages[language] = .object(fields)
        }
        members.append(("texts", .object(languages)))
        if let icon { members.append(("icon", .string(icon))) }
        if !hosts.isEmpty { members.append(("hosts", .array(hosts.map { .string($0) }))) }
        if !parts.isEmpty { members.append(("parts", .array(parts.map(\.json)))) }
        if !deltas.isEmpty { members.append(("deltas", .array(deltas.map(\.json)))) }
        return .custom(members, others)
    }
}

extension CatalogFields {
    fileprivate func platforms(_ name: String, isRequired: Bool = true) -> [String] {
        let platforms = values(
            name, count: CatalogLimits.platforms, limit: CatalogLimits.word, isRequired: isRequired, or: "notPlatform"
        ) { CatalogWords.isPlatform($0) ? $0 : nil }
        requireAscending(platforms, name)
        return platforms
    }

    fileprivate func localizedTexts() -> [String: LocalizedTexts] {
        var texts: [String: LocalizedTexts] = [:]
        for (language, fields) in namedObjects("texts", limit: CatalogLimits.languages) {
            guard CatalogWords.isLanguage(language) else {
                add("texts", ErrorReason("notLanguage", ["text": .text(language)]))
                continue
            }
            texts[language] = LocalizedTexts(
                name: fields.optionalText("name", limit: CatalogLimits.name),
                summary: fields.optionalText("summary", limit: CatalogLimits.summary))
        }
        return texts
    }
}
