import PluginCore
import PluginRouter

/// What becomes of a version that brought a host down.
extension BundleManager {
    /// Puts such versions away; the version before takes the place of each, or none does.
    func quarantineCulprits() async throws -> [InstallReport] {
        let book = probation.book
        guard !book.verdicts().isEmpty else { return [] }
        return try await exclusively {
            var reports: [InstallReport] = []
            try book.settle { verdict in
                if let report = try self.quarantine(verdict) { reports.append(report) }
            }
            return reports
        }
    }

    private nonisolated func quarantine(_ verdict: ProbationVerdict) throws -> InstallReport? {
        let identifier = verdict.identity.identifier
        let version = try registry.versions(of: identifier).first {
            $0.identity == verdict.identity && $0.digest == verdict.digest
        }
        // One that has gone meanwhile, or has proven itself since, is not spoken of any more.
        guard let bundle = version, bundle.provenAt == nil else { return nil }
        let installed = try registry.installed(identifier)
        let successor = installed?.active == bundle ? installed?.previous.flatMap(successor) : nil
        let released = try registry.commit([
            .quarantine(bundle, reason: verdict.explanation, then: successor.map { ($0.bundle, $0.manifest) })
        ])
        try? installer.clear(released)
        let outcome =
            if let successor {
                "\(successor.bundle.identity.version) is active again"
            } else if installed?.active == bundle {
                "nothing takes its place"
            } else {
                "it was not active"
            }
        services.log(identifier, .error, "\(bundle.identity.version) \(verdict.explanation); \(outcome)")
        return successor.map { InstallReport(bundle: $0.bundle, before: bundle) }
    }

    /// The version before, provided that it can take its place.
    private nonisolated func successor(_ bundle: PluginBundle) -> (bundle: PluginBundle, manifest: Manifest)? {
        guard (try? requireSound(bundle)) != nil, let manifest = try? registry.manifest(of: bundle),
            (try? requireFree(manifest)) != nil
        else { return nil }
        return (bundle, manifest)
    }
}
