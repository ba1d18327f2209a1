import BundleFormat
public import PluginCore
import PluginExtension
public import PluginRuntime

/// The rules for the extensions and extension points of a manifest, beyond their form, which the kernel checks.
///
/// A host installs no version that violates them, and `bundletool` packs none.
///
/// ```swift
/// services.admission = [ExtensionRules()]
/// ```
public struct ExtensionRules: Admission {
    /// The smallest and the largest value of each limit: seconds, bytes, or a number of files.
    private static let ranges: [String: ClosedRange<Double>] = [
        "start": 0.1...60, "request": 0.1...3600, "end": 0.1...60, "idle": 0...3600,
        "memory": 1_048_576...1_099_511_627_776, "fileSize": 0...1_099_511_627_776, "openFiles": 1...65_536,
    ]

    private let points: [ExtensionPointDeclaration]
    private let lacksCode: Bool

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - points: The known points of other bundles and of hosts, in addition to the standard ones.
    ///   - lacksCode: `true` for manifests that lack the declarations of the bundles' code, so that the bundles' own points are not known.
    public init(points: [ExtensionPointDeclaration] = [], lacksCode: Bool = false) {
        self.points = points
        self.lacksCode = lacksCode
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
        let problems = problems(in: manifest)
        if !problems.isEmpty { throw AtriumError(.manifestInvalid, subject, problems: problems) }
    }

    /// Checks the limits of a process, which may come from a manifest that a host without these rules has installed.
    static func require(_ limits: ExtensionLimits, of identifier: BundleIdentifier) throws(AtriumError) {
        let problems = ManifestProblems()
        ExtensionRules().requireValid(limits.values, at: "limits", problems)
        if !problems.all.isEmpty { throw AtriumError(.manifestInvalid, identifier, problems: problems.all) }
    }

    /// Returns one problem for each violated rule, with its place in the manifest.
    public func problems(in manifest: Manifest) -> [ErrorReason] {
        let problems = ManifestProblems()
        for (index, point) in manifest.extensionPoints.enumerated() {
            requireValid(point.limits.values, at: "extensionPoints[\(index)].limits", problems)
        }
        let known = (ExtensionPoints.standard + manifest.extensionPoints + points).reduce(into: [:]) { limits, point in
            limits[point.identifier] = limits[point.identifier] ?? point.limits
        }
        for (index, declared) in manifest.extensions.enumerated() {
            let place = "extensions[\(index)]"
            if let limits = known[declared.point] {
                requireValid(declared.limits, at: "\(place).limits", below: limits, problems)
            } else {
                requireUnknown(declared.point, in: manifest, known: known.keys.sorted(), at: "\(place).point", problems)
                requireValid(declared.limits, at: "\(place).limits", problems)
            }
            if let activation = declared.activation {
                _ = ActivationRule(activation, at: "\(place).activation", problems)
            }
        }
        return problems.all
    }

    /// Checks the point of an extension that is not known: one of another bundle or of a host, not one of this bundle or a misspelled word.
    private func requireUnknown(
        _ point: String, in manifest: Manifest, known: [String], at place: String, _ problems: ManifestProblems
    ) {
        if !BundleIdentifier.isValid(point) {
            problems.addUnknown(point, of: known, at: place)
        } else if !lacksCode, point.hasPrefix("\(manifest.identity.identifier).") {
            problems.add(place, "pointNotDeclared", ["text": .text(point)])
        }
    }

    private func requireValid(
        _ limits: [String: Double], at place: String, below most: ExtensionLimits? = nil, _ problems: ManifestProblems
    ) {
        for (name, value) in limits.sorted(by: { $0.key < $1.key }) {
            guard let range = Self.ranges[name] else { continue }
            if !range.contains(value) {
                let bounds = (ExtensionLimits.text(range.lowerBound), ExtensionLimits.text(range.upperBound))
                problems.add(
                    "\(place).\(name)", "limitInvalid",
                    ["value": .text(ExtensionLimits.text(value)), "least": .text(bounds.0), "most": .text(bounds.1)])
            } else if let most = most?.values[name], value > most {
                problems.add(
                    "\(place).\(name)", "limitAbovePoint",
                    ["value": .text(ExtensionLimits.text(value)), "most": .text(ExtensionLimits.text(most))])
            }
        }
    }
}
