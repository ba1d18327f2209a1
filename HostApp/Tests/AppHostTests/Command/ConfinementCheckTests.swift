import ConfinementReporting
import Doctor
import PluginCore
import Testing

@testable import AppHost

@Suite("The check of the confinement", .tags(.medium))
struct ConfinementCheckTests {
    private static func kernel(_ landlock: Int, isDisabled: Bool = false, hasFilter: Bool = true) -> ConfinementReport {
        ConfinementReport(landlockVersion: landlock, isLandlockDisabled: isDisabled, hasFilter: hasFilter)
    }

    /// Kernels, the level of each, and the names of the reasons for a lower level.
    private static let kernels: [(kernel: ConfinementReport, level: String, reasons: [String], remedies: [String])] = [
        (kernel(7), "full", ["confinementFull"], []),
        (kernel(3), "reduced: without tcp, deviceControl, scopes", ["landlockOlder"], ["newerKernel"]),
        (
            kernel(0, isDisabled: true), "reduced: without files, truncation, tcp, deviceControl, scopes",
            ["landlockDisabled"], ["enableLandlock"]
        ),
        (kernel(6, hasFilter: false), "reduced: without systemCalls", ["filtersMissing"], ["enableFilters"]),
        (
            kernel(0, hasFilter: false), "none", ["landlockMissing", "filtersMissing"],
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
