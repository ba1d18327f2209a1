import ConfinementReporting
import Doctor
import PluginCore
import PluginRuntime
import Testing

extension KernelFeatures {
    /// A kernel on which the check of the confinement finds nothing.
    static let complete = KernelFeatures(landlockVersion: 7, hasFilters: true)
}

@Suite("The check of the confinement", .tags(.medium))
struct ConfinementCheckTests {
    /// Kernels, the level of each, and the names of the reasons for a lower level.
    private static let kernels: [(kernel: KernelFeatures, level: String, reasons: [String], remedies: [String])] = [
        (.complete, "full", ["confinementFull"], []),
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
    func level(index: Int) async throws {
        let (kernel, level, reasons, remedies) = Self.kernels[index]
        try await withHost { host in
            let found = Checkup(of: host.manager, on: kernel).findings().filter { $0.check == .confinement }
            #expect(found.allSatisfy { $0.subject == level })
            #expect(found.map(\.what.name) == reasons && found.compactMap(\.remedy?.name) == remedies)
            #expect(found.allSatisfy { $0.severity == (level == "full" ? .fine : .notice) })
        }
    }
}
