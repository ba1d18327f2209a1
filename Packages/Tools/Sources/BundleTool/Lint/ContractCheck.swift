import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import PluginCore
import PluginLint

/// The comparison of new packages with the versions before them, before they are published.
struct ContractCheck {
    /// Checks that a package breaks no contract of the last release, unless its version number says so.
    ///
    /// The code is not run, so new required parameters are not found.
    ///
    /// - Parameters:
    ///   - package: the package, which is not in the catalog yet.
    ///   - editor: the catalog.
    ///   - silences: the codes that may be found.
    /// - Throws: ``ContractError`` with all findings.
    static func check(
        _ package: CheckedPackage, against editor: CatalogEditor, allowing silences: LintSilences
    ) throws {
        let manifest = package.entry.manifest
        let published = PublishedPackages(editor)
        guard try published.package(manifest.identity) == nil,
            let (old, _) = try published.release(before: manifest.identity)
        else { return }
        var subject = LintSubject()
        subject.manifest = manifest
        subject.published = old
        if manifest.kind == .lib { subject.libraries = try PackageContent(package.path).symbols(of: manifest) }
        guard !LintReport(of: subject, allowing: silences, rules: LintRule.contracts).findings.isEmpty else { return }
        // Reading all other bundles takes long in a large catalog.
        subject.catalog = try published.others(than: manifest.identity.identifier, hasImports: manifest.kind == .lib)
        let report = LintReport(of: subject, allowing: silences, rules: LintRule.contracts)
        throw ContractError(identity: manifest.identity, old: old.manifest.identity.version, report: report)
    }
}

/// An error for a package that would break plugins that work with the version before.
struct ContractError: ReportableError {
    let identity: BundleIdentity
    let old: SemanticVersion
    let report: FailureReport

    init(identity: BundleIdentity, old: SemanticVersion, report: LintReport) {
        self.identity = identity
        self.old = old
        let codes = report.findings.map(\.rule.code)
        self.report = FailureReport(
            code: "contractBroken", subject: identity.description,
            message:
                "\"\(identity)\" breaks plugins that work with \(old), but its version number says that it does not",
            remedy:
                "raise the major version (below 1.0.0 the minor version), or restore what is missing; to publish it "
                + "nevertheless, add " + codes.map { "--allow \($0)" }.joined(separator: " "),
            details: report.findings.flatMap { group in
                group.problems.map { problem in
                    let breaks = problem.breaks.isEmpty ? "" : "; breaks \(problem.breaks.joined(separator: ", "))"
                    return "\(group.rule.code): \(problem.what)\(breaks)"
                }
            })
    }

    var exitStatus: ExitStatus { .refused }
}
