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

extension Checkup {
    /// Adds a finding if a bundle of an app's composition doesn't exist, or is active in a version that isn't allowed, and for each rule that
    /// leads nowhere.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged`, `sandboxBusy` or an error of the catalog.
    func check(_ bundle: ComposedBundle, _ findings: inout CheckFindings) throws(AtriumError) {
        guard let identifier = BundleIdentifier(bundle.identifier), try !offers.isAbsent(identifier) else {
            let remedy = Remedy.advice(reason: "correctMember")
            return findings.add(.wrong, bundle.identifier, reason: "memberMissing", remedy: remedy)
        }
        if try registry.active.bundle(identifier) == nil {
            do {
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
        else { return }
        // A rollback or the recovery from a crash may have made it active.
        findings.add(
            .notice, identifier, reason: "activeOutsideRange", ["bundle": "\(active)", "range": "\(range)"],
            remedy: .command(.installApp))
    }
}

// The code of a composition, which the checkup explains.
extension AtriumError.Code {
    /// A composition file that violates its rules.
    public static let compositionInvalid = Self("compositionInvalid")
}
