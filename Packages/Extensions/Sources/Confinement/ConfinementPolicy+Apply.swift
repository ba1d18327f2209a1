import CConfinement
package import ConfinementReporting
import HostSystem
package import PluginCore
import Synchronization

extension ConfinementPolicy {
    private static let isApplied = Atomic(false)
    /// The most bytes of the main thread's stack, which no other limit but that of the address space counts. It is what most systems have.
    private static let stackLimit: UInt64 = 8 << 20

    /// Takes all rights from this process but those of the policy.
    ///
    /// The process must have one thread, and its inherited files must have been closed. A step that the kernel has but that fails is an error,
    /// after which the process must end without loading plugin code.
    ///
    /// - Parameter kernel: The protections to use, which are fewer than the kernel's only in tests.
    /// - Returns: The protections that are enforced.
    package func apply(on kernel: ConfinementReport = .ofThisKernel()) throws -> ConfinementReport {
        let threads = try check("/proc/self/task", confinement_thread_count())
        guard threads == 1 else {
            throw AtriumError(
                .confinementFailed, "landlock_restrict_self", reason: "threadsRun", ["count": .integer(Int(threads))])
        }
        guard !Self.isApplied.exchange(true, ordering: .sequentiallyConsistent) else {
            throw AtriumError(.confinementFailed, "landlock_restrict_self", reason: "confinedTwice")
        }

        try check("PR_SET_NO_NEW_PRIVS", confinement_no_new_privileges())
        try check("setsid", confinement_new_session())
        try check("capset", confinement_drop_capabilities())
        try setLimits()
        if kernel.landlockVersion > 0 { try restrictFiles(version: Int32(kernel.landlockVersion)) }
        if kernel.hasFilter {
            var call: UnsafePointer<CChar>?
            let status = confinement_filter_load(Int32(kernel.landlockVersion), isNetworkAllowed, &call)
            try check(call.map { "seccomp: " + String(cString: $0) } ?? "seccomp", status)
        }
        try check("PR_SET_PDEATHSIG", confinement_follow_parent(parent))
        return kernel
    }

    private func setLimits() throws {
        let wanted: [(confinement_limit, UInt64?)] = [
            (confinement_limit_address_space, limits.addressSpace), (confinement_limit_data, limits.data),
            (confinement_limit_stack, Self.stackLimit),
            (confinement_limit_open_files, limits.openFiles),
            (confinement_limit_processor_seconds, limits.processorSeconds),
            (confinement_limit_file_size, limits.fileSize), (confinement_limit_core, 0),
        ]
        for case (let limit, let value?) in wanted {
            try check("setrlimit", confinement_set_limit(limit, value))
        }
    }

    private func restrictFiles(version: Int32) throws {
        let system = isNetworkAllowed ? system.withNetworkFiles() : system
        let rules = try check("landlock_create_ruleset", confinement_rules_create(version, isNetworkAllowed))
        let places: [([FilePath], confinement_access)] = [
            (system.libraries, confinement_access_read), (system.files, confinement_access_list),
            (system.devices, confinement_access_device), (readable, confinement_access_list),
            (writable, confinement_access_write),
            // libdispatch reads the states of its threads, and the C library the stack of the main thread.
            (["/proc/self/task", "/proc/self/maps"], confinement_access_pinned),
        ]
        for (paths, access) in places {
            for path in paths {
                try check(path.string, confinement_rules_add(rules, version, path.string, access))
            }
        }
        try check("landlock_restrict_self", confinement_rules_enforce(rules))
    }

    @discardableResult
    private func check(_ call: String, _ status: Int32) throws -> Int32 {
        guard status >= 0 else { throw AtriumError.confinement(of: call) }
        return status
    }
}

/// The open files, variables and signal settings that a process has from its parent.
package enum Inheritance {
    /// Closes all open files from a number on.
    package static func closeFiles(from first: Int32) { confinement_close_descriptors(first) }

    /// Unblocks all signals, and gives those that are ignored their usual effect.
    ///
    /// Threads of libdispatch block signals, and a process that they start would not notice the end of its processor time.
    package static func resetSignals() throws {
        guard confinement_reset_signals() == 0 else { throw AtriumError.confinement(of: "sigprocmask") }
    }

    /// Removes all variables but those that plugin code may see, and overwrites their text in memory.
    package static func clearEnvironment() { confinement_clear_environment() }
}

extension AtriumError.Code {
    /// A process that could not be confined, and must not load plugin code.
    package static let confinementFailed = Self("confinementFailed")
}

extension AtriumError {
    /// Returns the error of a system call that has just failed.
    static func confinement(of call: String) -> AtriumError {
        AtriumError(.confinementFailed, call, reason: "systemMessage", ["message": .text(FileSystem.message())])
    }
}
