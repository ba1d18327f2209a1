import CKernelFeatures

/// The rights that the kernel has taken from a process, or that it can take.
///
/// A process that confines itself sends this report to its host, which shows the level to the user.
///
/// ```swift
/// let report = ConfinementReport(landlockVersion: 3, hasFilter: true)
/// report.missing  // [.tcp, .deviceControl, .scopes]
/// ```
public struct ConfinementReport: Hashable, Sendable {
    /// The protections that depend on the kernel. All others are enforced by every kernel.
    public enum Protection: String, CaseIterable, Sendable {
        /// Files outside of the process's own folders can be neither opened nor changed: Landlock 1.
        case files
        /// Landlock also keeps files from being emptied: Landlock 3.
        case truncation
        /// Landlock also denies TCP: Landlock 4.
        case tcp
        /// Landlock also denies control of devices: Landlock 5.
        case deviceControl
        /// Landlock also denies abstract sockets and signals of other processes: Landlock 6.
        case scopes
        /// Only the system calls of a list are allowed.
        case systemCalls
    }

    /// The version of Landlock, or 0 without Landlock.
    public let landlockVersion: Int
    /// A Boolean value that indicates whether the kernel contains Landlock, but was started without it.
    public let isLandlockDisabled: Bool
    /// A Boolean value that indicates whether there is a filter of system calls.
    public let hasFilter: Bool

    /// The lowest version of Landlock with which everything is enforced.
    public static let fullLandlockVersion = Protection.allCases.compactMap(\.landlockVersion).max() ?? 0

    /// Creates a report.
    public init(landlockVersion: Int, isLandlockDisabled: Bool = false, hasFilter: Bool) {
        self.landlockVersion = landlockVersion
        self.isLandlockDisabled = isLandlockDisabled
        self.hasFilter = hasFilter
    }

    /// Finds out what the running kernel offers to this process.
    public static func ofThisKernel() -> ConfinementReport {
        let version = Int(kernel_landlock_version())
        return ConfinementReport(
            landlockVersion: max(0, version), isLandlockDisabled: version < 0, hasFilter: kernel_has_filters())
    }

    /// Returns what an older kernel offers, for tests.
    package func limited(toLandlock version: Int, filter: Bool = true) -> ConfinementReport {
        ConfinementReport(landlockVersion: min(landlockVersion, version), hasFilter: hasFilter && filter)
    }

    /// The protections that the kernel does not enforce.
    public var missing: [Protection] {
        Protection.allCases.filter { $0.landlockVersion.map { $0 > landlockVersion } ?? !hasFilter }
    }
}

extension ConfinementReport: CustomStringConvertible {
    /// The level as people read it: "full", "none", or such as "reduced: without scopes".
    public var description: String {
        switch missing.count {
        case 0: "full"
        case Protection.allCases.count: "none"
        default: "reduced: without \(missing.map(\.rawValue).joined(separator: ", "))"
        }
    }
}

extension ConfinementReport.Protection {
    /// The lowest version of Landlock that has the protection, or nil if it is not Landlock's.
    fileprivate var landlockVersion: Int? {
        switch self {
        case .files: 1
        case .truncation: 3
        case .tcp: 4
        case .deviceControl: 5
        case .scopes: 6
        case .systemCalls: nil
        }
    }
}
