import HostSystem
public import PluginCore
public import Processes

/// A crash or hang, with the calls on the stack of its thread.
public struct RecordedCrash: Hashable, Sendable {
    /// The owner of some code.
    public enum Owner: Hashable, Sendable {
        /// A version of a bundle, and the file name of its library if that is not the one of its plugin.
        case bundle(BundleIdentity, library: String? = nil)
        /// A library of the host or the system.
        case library(FilePath)
        /// The program of the process.
        case program
        /// None: the address is outside of all code.
        case unknown
    }

    /// A call on the stack.
    public struct Call: Hashable, Sendable {
        /// The owner of the code.
        public let owner: Owner
        /// The address in the file of the library, as its symbol table has it.
        public let address: UInt64
    }

    /// The code that a process was started for.
    public struct Purpose: Hashable, Sendable {
        /// The version whose code the process ran.
        public let bundle: BundleIdentity
        /// The extension; `nil` if the process ran the bundle's plugin.
        public let `extension`: BundleIdentifier?

        /// Creates the purpose of a process.
        ///
        /// - Parameter extension: The extension; `nil` for the bundle's plugin.
        public init(bundle: BundleIdentity, extension: BundleIdentifier? = nil) {
            self.bundle = bundle
            self.extension = `extension`
        }
    }

    /// The name of the report: the time in seconds since 1970, and the number of the process.
    public let name: String
    /// The number of the signal; `nil` for a hang.
    public let signal: Int32?
    /// The deadline that a process of an extension or an isolated plugin has missed; `nil` for a crash, and for a hang of a host.
    public let deadline: ProcessDeadline?
    /// The time in seconds since 1970.
    public let at: Int64
    /// The number of the process.
    public let process: Int
    /// The number of the thread; 0 if the stack of a hung process is unknown.
    public let thread: Int
    /// The code that the process was started for; `nil` for the process of a host.
    public let purpose: Purpose?
    /// The process whose message the thread of a host handled; `nil` if it handled none.
    public let sender: Purpose?
    /// The calls, innermost first.
    public let calls: [Call]
    /// The build IDs of the libraries with calls, in lowercase hexadecimal, as far as their linker has given them one.
    public internal(set) var builds: [Owner: String] = [:]

    /// The bundle whose code is nearest to the crash, for which the process was started, or whose message its thread handled; `nil` if there is
    /// none.
    public var bundle: BundleIdentity? {
        for call in calls {
            if case .bundle(let identity, _) = call.owner { return identity }
        }
        return purpose?.bundle ?? sender?.bundle
    }
}

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
        func known(_ owner: Owner) -> Owner {
            switch owner {
            case .bundle: .unknown
            case .library(let path): owners[path.string] ?? owner
            case .program, .unknown: owner
            }
        }
        let lines = crash.frames.split(separator: "\n").prefix(Self.callLimit)
        let calls = lines.filter { $0.hasPrefix("frame ") }.compactMap { Call($0.dropFirst("frame ".count)) }.map {
            Call(owner: known($0.owner), address: $0.address)
        }
        let (signal, deadline): (Int32?, ProcessDeadline?) =
            switch cause {
            case .signal(let signal): (signal, nil)
            case .hang(let deadline): (nil, deadline)
            }
        self.init(
            name: "\(now)-\(process)", signal: signal, deadline: deadline, at: now, process: Int(process),
            thread: crash.thread, purpose: purpose, sender: nil, calls: calls)
        for line in lines where line.hasPrefix("build ") {
            if let build = Build(line.dropFirst("build ".count)) { builds[known(build.owner)] = build.identifier }
        }
        builds[.unknown] = nil
    }

    /// The number of calls that are kept, more than a handler writes.
    private static let callLimit = 256
}
