internal import CConfinement

/// The features of the running kernel that confine processes.
package struct KernelFeatures: Sendable {
    /// The version of Landlock, or 0 without Landlock.
    package let landlockVersion: Int
    /// A Boolean value that indicates whether the kernel has filters of system calls.
    package let hasFilters: Bool

    /// Finds out the features that the running kernel offers to this process.
    package static func ofThisKernel() -> KernelFeatures {
        KernelFeatures(
            landlockVersion: Int(confinement_landlock_version()), hasFilters: confinement_has_filters())
    }

    /// Returns the features of an older kernel, for tests.
    package func limited(toLandlock version: Int, filters: Bool = true) -> KernelFeatures {
        KernelFeatures(landlockVersion: min(landlockVersion, version), hasFilters: hasFilters && filters)
    }
}
