internal import CKernelFeatures

/// The features of a kernel that confine processes.
///
/// ```swift
/// KernelFeatures.ofThisKernel().report.level  // .full
/// ```
public struct KernelFeatures: Sendable {
    /// The version of Landlock, or 0 without Landlock.
    public let landlockVersion: Int
    /// A Boolean value that indicates whether the kernel contains Landlock, but was started without it.
    public let isLandlockDisabled: Bool
    /// A Boolean value that indicates whether the kernel has filters of system calls.
    public let hasFilters: Bool

    package init(landlockVersion: Int, isLandlockDisabled: Bool = false, hasFilters: Bool) {
        self.landlockVersion = landlockVersion
        self.isLandlockDisabled = isLandlockDisabled
        self.hasFilters = hasFilters
    }

    /// Finds out the features that the running kernel offers to this process.
    public static func ofThisKernel() -> KernelFeatures {
        let version = Int(kernel_landlock_version())
        return KernelFeatures(
            landlockVersion: max(0, version), isLandlockDisabled: version < 0, hasFilters: kernel_has_filters())
    }

    /// Returns the features of an older kernel, for tests.
    package func limited(toLandlock version: Int, filters: Bool = true) -> KernelFeatures {
        KernelFeatures(landlockVersion: min(landlockVersion, version), hasFilters: hasFilters && filters)
    }

    /// The confinement that this kernel enforces.
    public var report: ConfinementReport {
        ConfinementReport(landlockVersion: landlockVersion > 0 ? landlockVersion : nil, hasFilter: hasFilters)
    }
}
