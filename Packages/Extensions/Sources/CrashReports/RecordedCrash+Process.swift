package import HostSystem
package import PluginCore

extension RecordedCrash {
    /// Creates the report of a process that has described its crash or hang to its host.
    ///
    /// The process's code may be hostile. So code counts as a bundle's only if the host has sent the library, and lines that are not
    /// frames are skipped.
    ///
    /// - Parameters:
    ///   - cause: The reason for which the process ended.
    ///   - libraries: The libraries that the host has sent, in order.
    ///   - now: The time in seconds since 1970.
    package init(
        _ crash: CrashDescription, _ cause: CrashCause, process: Int32, purpose: Purpose,
        libraries: [(bundle: BundleIdentity, file: String)], at now: Int64
    ) {
        let owners = Dictionary(
            uniqueKeysWithValues: libraries.enumerated().map { number, library in
                (CodeOwners.name(ofLibrary: number), Owner.bundle(library.bundle, library: library.file))
            })
        let calls: [Call] = crash.frames.split(separator: "\n").prefix(Self.callLimit).compactMap { line in
            guard let call = Call(line.dropFirst("frame ".count)) else { return nil }
            switch call.owner {
            case .bundle: return Call(owner: .unknown, address: call.address)
            case .library(let path): return Call(owner: owners[path.string] ?? call.owner, address: call.address)
            case .program, .unknown: return call
            }
        }
        let (signal, deadline): (Int32?, ProcessDeadline?) =
            switch cause {
            case .signal(let signal): (signal, nil)
            case .hang(let deadline): (nil, deadline)
            }
        self.init(
            name: "\(now)-\(process)", signal: signal, deadline: deadline, at: now, process: Int(process),
            thread: crash.thread, purpose: purpose, sender: nil, calls: calls)
    }

    /// The number of calls that are kept, more than a handler writes.
    private static let callLimit = 256
}
