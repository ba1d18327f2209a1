public import PluginCore

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
            throw AtriumError(.resourceInvalid, subject, reason: .verbatim(StrictJSON.finding(error)))
        }
        var problems: [ErrorReason] = []
        if content.formatVersion != 1 {
            problems.append(.at("formatVersion", ErrorReason("fileTooNew", ["expected": 1])))
        }
        if let version = content.version, SemanticVersion(version) == nil {
            problems.append(.at("version", ErrorReason("notVersion", ["text": .text(version)])))
        }
        if let other = content.composition {
            problems.append(.at("composition", ErrorReason("compositionNested", ["bundle": .text(other)])))
        }
        var requirements: [BundleRequirement] = []
        var named = content.bundles.enumerated().map { ("bundles[\($0)]", $1.pkg, $1.version) }
        if let theme = content.theme { named.append(("theme", theme, nil)) }
        for (place, text, version) in named {
            guard let identifier = BundleIdentifier(text) else {
                problems.append(.at(place, ErrorReason("notIdentifier", ["text": .text(text)])))
                continue
            }
            guard let range = VersionRange(version ?? VersionRange.any.description) else {
                problems.append(.at("\(place).version", ErrorReason("notVersionRange", ["text": .text(version ?? "")])))
                continue
            }
            if let known = requirements.first(where: { $0.identifier == identifier }) {
                guard place != "theme", known.versions != range else { continue }
                problems.append(.at("\(place).version", ErrorReason("bundleTwice", ["name": .text(text)])))
            } else {
                requirements.append(BundleRequirement(identifier: identifier, versions: range))
            }
        }
        guard problems.isEmpty else { throw AtriumError(.resourceInvalid, subject, problems: problems) }
        self.requirements = requirements
    }
}
