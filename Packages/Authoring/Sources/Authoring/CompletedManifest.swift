import BundleFormat
public import HostSystem
public import PluginCore
public import PluginExtension
public import PluginRouter

/// A manifest that the declarations in the plugin's code have completed.
///
/// The author writes what only a person knows: identity, requirements, layouts, exposure, app groups. A host needs the rest as well before it
/// loads any code, so `bundletool pack` adds it to the package's manifest.
///
/// ```swift
/// let complete = try CompletedManifest(source, of: "manifest.json", with: PrincipalType(Shop.self).declarations)
/// print(complete.additions.routes)    // ["shop/deals", "shop/gift"]
/// ```
public struct CompletedManifest: Sendable {
    /// The manifest with all declarations.
    public let manifest: Manifest
    /// The file's content, which is the author's if the code has nothing to add.
    public let bytes: [UInt8]
    /// The file names of the extensions' libraries, also of those that lack a point.
    public let extensionEntries: [String]
    /// The declarations that come from the code.
    public let additions: ManifestAdditions

    /// Reads an author's manifest and completes it.
    ///
    /// - Parameters:
    ///   - bytes: the content of the author's file.
    ///   - subject: the subject of an error.
    ///   - code: the declarations in the code; `nil` if they aren't known. Then the result lacks the routes whose kind and name are in the
    ///     code, and their absence isn't reported.
    ///   - ownPoints: the extension points in the plugin's code.
    ///   - points: the extension points in the code of the extensions, by entry.
    ///   - members: the bundles that the bundle.json in a bundle of kind `assets` names; `nil` if it has none.
    ///   - prerelease: identifiers that are added to the version, such as `dev.7`; `nil` for the version in the file.
    ///   - converters: the types that a pattern's captures may have.
    ///   - check: reports violated rules of layers, such as those of `ExtensionRules`.
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, and one problem for each violated rule and for each difference between the
    ///   author's file and the code or the bundle.json.
    public init(
        _ bytes: [UInt8], of subject: String, with code: BundleDeclarations?,
        ownPoints: [ExtensionPointDeclaration] = [], extensionPoints points: [String: ExtensionPointDeclaration] = [:],
        members: CompositionMembers? = nil, prerelease: String? = nil, converters: RouteConverters = .standard,
        checking check: (Manifest, ManifestProblems) -> Void = { _, _ in }
    ) throws(AtriumError) {
        let fields = Self.fields(of: bytes)
        var merge = DeclarationMerge(fields ?? [:])
        if let code {
            merge.add(code)
            merge.add(ownPoints)
        }
        merge.add(points)
        if let members { merge.add(members) }
        if let prerelease { merge.add(prerelease: prerelease) }
        additions = merge.additions
        extensionEntries = (merge.fields["extensions"]?.elements ?? []).compactMap { $0.members?["entry"]?.string }
        let isChanged = fields != nil && (prerelease != nil || !additions.isEmpty)
        self.bytes = isChanged ? ManifestJSON.object(merge.fields).content : bytes
        manifest = try ManifestReader.read(
            self.bytes, of: subject, converters: converters, lacksCode: code == nil, reporting: merge.problems,
            checking: check)
    }

    /// Returns the patterns and layouts of the routes in a manifest that may break any rule.
    public static func routes(in manifest: [UInt8]) -> [(pattern: String?, layout: String?)] {
        (fields(of: manifest)?["routes"]?.elements ?? []).compactMap(\.members).map {
            ($0["pattern"]?.string, $0["layout"]?.string)
        }
    }

    /// Returns the fields of a file; `nil` if it can't be read, which its reader reports.
    private static func fields(of manifest: [UInt8]) -> [String: ManifestJSON]? {
        guard manifest.count <= ManifestReader.sizeLimit else { return nil }
        return try? StrictJSON.decode([String: ManifestJSON].self, from: manifest)
    }
}

/// The declarations that a plugin's code, or the bundle.json in its resources, has added to its manifest.
public struct ManifestAdditions: Hashable, Sendable {
    /// The patterns of the routes that the author's file lacks, or of which it has a part.
    public internal(set) var routes: [String] = []
    /// The actions, each as `Target.action`; a target without actions is its name.
    public internal(set) var actions: [String] = []
    /// The names of the services.
    public internal(set) var services: [String] = []

    /// The identifiers of the extension points.
    public internal(set) var extensionPoints: [String] = []
    /// The extensions that got their point from their code, each as `identifier at point`.
    public internal(set) var extensions: [String] = []
    /// The identifiers of the bundles that the bundle.json among the resources names.
    public internal(set) var requirements: [String] = []

    /// Creates a list without declarations.
    public init() {}

    /// A Boolean value that indicates whether the code has added nothing.
    public var isEmpty: Bool { self == ManifestAdditions() }
}

/// The bundles that the bundle.json of an app names, as requirements of the bundle that contains it.
///
/// Such a bundle of kind `assets` requires what its bundle.json names, so that both change together. `bundletool pack` adds these requirements to
/// the package's manifest; a host reads the rest of the file.
///
/// ```swift
/// let members = try CompositionMembers(bytes, of: "Resources/bundle.json")
/// print(members.requirements.map(\.identifier))    // [com.example.app.shop]
/// ```
public struct CompositionMembers: Sendable {
    /// The requirements in the order of the file, at most one for each bundle.
    public let requirements: [BundleRequirement]

    private struct Content: Decodable {
        struct Bundle: Decodable {
            var pkg: String
            var version: String?
        }

        var formatVersion: Int
        var name: String
        var version: String?
        var theme: String?
        var composition: String?
        var bundles: [Bundle]
    }

    /// Reads the bundles of a bundle.json.
    ///
    /// - Throws: ``AtriumError`` with code `resourceInvalid`, and each problem of the fields that name bundles and versions.
    public init(_ bytes: [UInt8], of subject: String) throws(AtriumError) {
        let content: Content
        do {
            content = try StrictJSON.decode(Content.self, from: bytes)
        } catch {
            throw AtriumError(.resourceInvalid, subject, reason: .finding(error))
        }
        var problems: [ErrorReason] = []
        if content.formatVersion != 1 {
            problems.append(.at("formatVersion", ErrorReason("fileTooNew", ["expected": 1])))
        }
        if let version = content.version, SemanticVersion(version) == nil {
            problems.append(.at("version", ErrorReason("notVersion", ["text": "\(version)"])))
        }
        if let other = content.composition {
            problems.append(.at("composition", ErrorReason("compositionNested", ["bundle": "\(other)"])))
        }
        var requirements: [BundleRequirement] = []
        var named = content.bundles.enumerated().map { ("bundles[\($0)]", $1.pkg, $1.version) }
        if let theme = content.theme { named.append(("theme", theme, nil)) }
        for (place, text, version) in named {
            guard let identifier = BundleIdentifier(text) else {
                problems.append(.at(place, ErrorReason("notIdentifier", ["text": "\(text)"])))
                continue
            }
            guard let range = VersionRange(version ?? VersionRange.any.description) else {
                problems.append(.at("\(place).version", ErrorReason("notVersionRange", ["text": .text(version ?? "")])))
                continue
            }
            if let known = requirements.first(where: { $0.identifier == identifier }) {
                guard place != "theme", known.versions != range else { continue }
                problems.append(.at("\(place).version", ErrorReason("bundleTwice", ["name": "\(text)"])))
            } else {
                requirements.append(BundleRequirement(identifier: identifier, versions: range))
            }
        }
        guard problems.isEmpty else { throw AtriumError(.resourceInvalid, subject, problems: problems) }
        self.requirements = requirements
    }
}
