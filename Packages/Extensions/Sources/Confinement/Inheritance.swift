internal import CConfinement
internal import HostSystem
package import PluginCore

/// The open files, variables and signal settings that a process has from its parent.
package enum Inheritance {
    /// Closes all open files but those with the given numbers. Standard input, output and error are closed as well if they are not given.
    package static func closeFiles(except kept: [Int32]) throws {
        let kept = Set(kept).sorted()
        guard confinement_close_descriptors(kept, Int32(kept.count)) == 0 else {
            throw AtriumError.confinement(of: "close_range")
        }
    }

    /// Unblocks all signals, and gives those that are ignored their usual effect.
    ///
    /// Threads of libdispatch block signals, and a process that they start would not notice the end of its processor time.
    package static func resetSignals() throws {
        guard confinement_reset_signals() == 0 else { throw AtriumError.confinement(of: "sigprocmask") }
    }

    /// The variables that plugin code may see: language, time zone, and the places of its own files.
    package static let plainVariables = [
        "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC",
        "LC_TIME", "TMPDIR", "TZ",
    ]

    /// Removes all variables but those with the given names, and overwrites their text in memory.
    package static func clearEnvironment(except kept: [String] = plainVariables) {
        func clear(_ rest: ArraySlice<String>, _ names: [UnsafePointer<CChar>]) {
            guard let first = rest.first else {
                confinement_clear_environment(names, Int32(names.count))
                return
            }
            first.withCString { clear(rest.dropFirst(), names + [$0]) }
        }
        clear(kept[...], [])
    }
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
