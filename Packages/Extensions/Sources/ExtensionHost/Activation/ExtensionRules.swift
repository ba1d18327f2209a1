import BundleFormat
public import HostSystem
public import PluginCore
public import PluginExtension
import PluginIsolation
public import PluginRuntime
package import Registry

/// The rules for the extensions and extension points of a manifest, and their records in the registry.
///
/// A host with these rules installs no version that violates them, and `bundletool` packs none. A host without them ignores the fields.
///
/// ```swift
/// services.admission = [ExtensionRules()]
/// ```
public struct ExtensionRules: Admission {
    /// The extension points that are known besides those of the manifest and the standard ones.
    let points: [ExtensionPointDeclaration]
    /// `true` for manifests that lack the declarations of the bundles' code, so that the bundles' own points are not known.
    let lacksCode: Bool
    /// `true` for manifests that lack the declarations of the extensions' code, so that an extension need not have a point.
    let lacksExtensionCode: Bool

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - points: The known points of other bundles and of hosts, in addition to the standard ones.
    ///   - lacksCode: `true` for manifests that lack the declarations of the bundles' code.
    ///   - lacksExtensionCode: `true` for manifests that lack the declarations of the extensions' code.
    public init(points: [ExtensionPointDeclaration] = [], lacksCode: Bool = false, lacksExtensionCode: Bool = false) {
        self.points = points
        self.lacksCode = lacksCode
        self.lacksExtensionCode = lacksExtensionCode
    }

    /// Permits every version, because its manifest is not known yet.
    public func installRule() -> InstallRule { { _ in nil } }

    /// Refuses a version whose extensions violate a rule, with code `manifestInvalid`.
    public func admit(_ manifest: Manifest) throws(AtriumError) {
        try require(manifest, of: manifest.identity.description)
    }

    /// Checks a manifest.
    ///
    /// - Parameter subject: The subject of an error, such as the package's name.
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, and one problem for each violated rule, with its place.
    public func require(_ manifest: Manifest, of subject: String) throws(AtriumError) {
        let problems = ManifestProblems()
        check(manifest, problems)
        if !problems.all.isEmpty { throw AtriumError(.manifestInvalid, subject, problems: problems.all) }
    }

    /// Reports each violated rule with its place in the manifest.
    public func check(_ manifest: Manifest, _ problems: ManifestProblems) { _ = read(manifest, reporting: problems) }
}

extension ExtensionRules: DeclaringLayer {
    /// Returns a record for each extension, for each key of its rule, and for each extension point.
    package func records(of manifest: Manifest) -> [DeclarationRecord] {
        let (extensions, points) = read(manifest, reporting: ManifestProblems())
        var records = extensions.map {
            DeclarationRecord(
                layer: ExtensionLayers.declarations, key: $0.identifier.text, json: RecordJSON.text(of: $0),
                conflict: .extensionConflict)
        }
        for found in extensions {
            let rule = found.activation.flatMap { try? ActivationRule($0) }
            // One with a rule that this host does not know is a candidate for all input, too.
            records += (rule?.kinds.map(\.rawValue) ?? [""]).map {
                DeclarationRecord(layer: ExtensionLayers.index, key: "\(found.point)/\($0)/\(found.identifier)")
            }
        }
        return records
            + points.map {
                DeclarationRecord(
                    layer: ExtensionLayers.points, key: $0.identifier, json: RecordJSON.text(of: $0.limits.values),
                    conflict: .extensionConflict)
            }
    }
}

extension Manifest {
    /// The extensions that the bundle contains.
    public var extensions: [ExtensionDeclaration] {
        ExtensionRules().read(self, reporting: ManifestProblems()).extensions
    }

    /// The extension points at which the bundle accepts extensions of other bundles.
    public var extensionPoints: [ExtensionPointDeclaration] {
        ExtensionRules().read(self, reporting: ManifestProblems()).points
    }
}
