public import PluginCore
import PluginRuntime
import Registry

/// A bundle that an app's composition names.
public struct ComposedBundle: Hashable, Sendable {
    /// The identifier, as the composition has it.
    public let identifier: String
    /// The versions that the composition allows; `nil` for all.
    public let versions: VersionRange?
    /// The problems of rules that lead to its pages.
    public let ruleProblems: [ErrorReason]

    /// Creates a bundle of a composition.
    public init(_ identifier: String, versions: VersionRange? = nil, ruleProblems: [ErrorReason] = []) {
        self.identifier = identifier
        self.versions = versions
        self.ruleProblems = ruleProblems
    }
}

/// The check that the bundles of an app's composition exist, in versions that it allows.
struct CompositionCheck {
    let registry: Registry
    let offers: OfferedVersions

    /// Adds a finding for each bundle that doesn't exist, each rule that leads nowhere, and each active version that isn't allowed.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged`, `sandboxBusy` or an error of the catalog.
    func check(_ bundles: [ComposedBundle], _ findings: inout CheckFindings) throws(AtriumError) {
        for bundle in bundles {
            guard let identifier = BundleIdentifier(bundle.identifier), try !offers.isAbsent(identifier) else {
                findings.add(
                    .wrong, bundle.identifier, reason: "memberMissing", remedy: .advice(reason: "correctMember"))
                continue
            }
            if try registry.active.bundle(identifier) == nil {
                do throws(AtriumError) {
                    _ = try offers.catalog.versions(of: identifier)
                } catch {
                    findings.add(.notice, identifier, reason: "memberUnknown", ["problem": .reason(.error(error))])
                }
            }
            for problem in bundle.ruleProblems {
                findings.add(.wrong, identifier, problem, remedy: .advice(reason: "correctRule"))
            }
            guard let range = bundle.versions, let active = try registry.active.version(of: identifier)?.identity,
                !range.contains(active.version)
            else { continue }
            // A rollback or the recovery from a crash may have made it active.
            findings.add(
                .notice, identifier, reason: "activeOutsideRange", ["bundle": "\(active)", "range": "\(range)"],
                remedy: .command(.installApp))
        }
    }
}

// The code of a composition, which the checkup explains.
extension AtriumError.Code {
    /// A composition file that violates its rules.
    public static let compositionInvalid = Self("compositionInvalid")
}
