import ConfinementReporting
import Doctor
import PluginCore
import Testing

@testable import AppHost

@Suite("The check of the confinement", .tags(.medium))
struct ConfinementCheckTests {
    /// Kernels, the level of each, and the names of the reasons for a lower level.
    private static let kernels: [(kernel: KernelFeatures, level: String, reasons: [String], remedies: [String])] = [
        (KernelFeatures(landlockVersion: 7, hasFilters: true), "full", ["confinementFull"], []),
        (
            KernelFeatures(landlockVersion: 3, hasFilters: true), "reduced: without tcp, deviceControl, scopes",
            ["landlockOlder"], ["newerKernel"]
        ),
        (
            KernelFeatures(landlockVersion: 0, isLandlockDisabled: true, hasFilters: true),
            "reduced: without files, truncation, tcp, deviceControl, scopes", ["landlockDisabled"], ["enableLandlock"]
        ),
        (
            KernelFeatures(landlockVersion: 6, hasFilters: false), "reduced: without systemCalls", ["filtersMissing"],
            ["enableFilters"]
        ),
        (
            KernelFeatures(landlockVersion: 0, hasFilters: false), "none", ["landlockMissing", "filtersMissing"],
            ["newerKernel", "enableFilters"]
        ),
    ]

    @Test("Each level is reported with all reasons and remedies, and as nothing worse than a notice", arguments: 0..<5)
    func level(index: Int) {
        let (kernel, level, reasons, remedies) = Self.kernels[index]
        let found = kernel.findings
        #expect(found.allSatisfy { $0.check == .confinement && $0.subject == level })
        #expect(found.map(\.what.name) == reasons && found.compactMap(\.remedy?.name) == remedies)
        #expect(found.allSatisfy { $0.severity == (level == "full" ? .fine : .notice) })
    }
}
