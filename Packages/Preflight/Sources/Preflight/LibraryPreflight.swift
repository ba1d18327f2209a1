public import BundleFormat
import CELF
public import HostSystem
public import PluginCore
public import PluginRuntime
import Processes

/// Checks a plugin's library before any of its code runs, and reports whether this process could load it.
///
/// ```swift
/// let report = LibraryPreflight.validate("libShop.so")
/// if let refusal = report.refusal(of: "com.example.app.shop@1.1.0") { throw refusal }
/// ```
public struct LibraryPreflight: LibraryCheck {
    /// The host that is to load the libraries; `nil` for this process.
    let host: HostDescription?

    /// Creates the check for this process.
    ///
    /// - Parameter libraries: the file names of dynamic libraries that this program is linked with and that plugins may need:
    ///   "libAcmeKit.so". Core, SQLite and the Swift runtime need not be listed. The list applies to the whole process.
    public init(offering libraries: [String] = []) {
        HostLibraries.offer(libraries)
        host = nil
    }

    /// Creates the check for another host.
    public init(for host: HostDescription) {
        self.host = host
    }

    /// The maximum size of a library, in bytes.
    public static let sizeLimit = 1 << 28

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: the path of the library, which must be a regular file and not a link.
    ///   - dependencies: the libraries of the bundles that the manifest requires, by the names under which they are needed.
    ///   - host: the host that is to load it; `nil` for this process. The symbols of another host are unknown.
    public static func validate(
        _ path: FilePath, dependencies: [String: FilePath] = [:], for host: HostDescription? = nil
    ) -> LibraryReport {
        do throws(MappedFile.Failure) {
            let file = try MappedFile(path, limit: sizeLimit)
            return report(
                on: file, named: path.lastComponent, LibraryDependencies(dependencies), platform: Platform.triple, host)
        } catch {
            var (report, name) = (LibraryReport(), path.lastComponent)
            switch error {
            case .missing: report.add(.missing, name, reason: "noFileAt", ["path": "\(path)"])
            case .noFile: report.add(.unreadable, name, reason: "notRegularFileAt", ["path": "\(path)"])
            case .tooLarge: report.add(.unreadable, name, reason: "fileTooLarge", ["limit": .integer(sizeLimit)])
            case .system(let why): report.add(.failing, name, reason: "fileUnreadableBecause", ["message": "\(why)"])
            }
            return report
        }
    }

    /// Checks the content of a file that isn't written yet.
    ///
    /// - Parameters:
    ///   - content: the bytes of the library.
    ///   - name: its file name in the bundle.
    ///   - dependencies: the libraries of the bundles that the manifest requires.
    ///   - platform: the platform or build of its hosts. Only for this process's, the libraries and symbols that it needs are compared with
    ///     those of a host.
    public static func validate(
        _ content: some Collection<UInt8>, named name: String, dependencies: LibraryDependencies = .none,
        platform: String = Platform.triple
    ) -> LibraryReport {
        report(on: MappedFile(copying: content), named: name, dependencies, platform: platform)
    }

    /// Returns the build of a library according to its file; `nil` if that does not name exactly one.
    public static func build(of content: [UInt8], for platform: String) -> LibraryBuild? {
        let validator = LibraryValidator(MappedFile(copying: content), named: "", .none)
        guard let header = try? ELFHeader(validator.file), header.isReadable,
            let library = try? ELFLibrary(validator.file, header)
        else { return nil }
        validator.readCore(library)
        return validator.report.facts.build(for: platform)
    }

    private static func report(
        on file: MappedFile, named name: String, _ dependencies: LibraryDependencies, platform: String,
        _ host: HostDescription? = nil
    ) -> LibraryReport {
        let report = LibraryValidator(file, named: name, dependencies, platform: platform, for: host).validated()
        let unread = HostLibraries.current.unread + dependencies.unread + report.unread
        guard !report.isLoadable, let path = unread.first else { return report }
        // The missing names or libraries may be in a file that couldn't be read.
        var unknown = LibraryReport()
        unknown.add(.failing, name, reason: "libraryUnread", ["path": "\(path)"], remedy: ErrorReason("tryAgain"))
        return unknown
    }

    /// The size of the part in which linkers put program headers and notes, in bytes.
    private static let headSize = 2048

    /// Returns whether all segments are in the file and fit into memory, and the library is for this machine, Core and compiler.
    ///
    /// This quick check of the start of a file before each load finds truncated files, and libraries for another Core or compiler, when the
    /// host has been updated. It takes a few microseconds. The full check runs only at installation.
    ///
    /// - Returns: `false` also when that can't be determined.
    public func isSound(_ library: LibraryFile) -> Bool {
        guard let file = MappedFile.head(of: library.descriptor, limit: Self.headSize) else { return false }
        let head = ByteView(file)
        guard let header = try? ELFHeader(head), header.isReadable, header.machine == .host,
            header.isSharedObject, let segments = try? header.programHeaders(in: head)
        else { return false }
        var isOurs = false
        var (lowest, highest) = (UInt64.max, UInt64.min)
        for segment in segments {
            let (end, isOver) = segment.p_offset.addingReportingOverflow(segment.p_filesz)
            guard !isOver, end <= library.size else { return false }
            if segment.isOf(PT_LOAD) {
                (lowest, highest) = (min(lowest, segment.p_vaddr), max(highest, segment.end))
            }
            guard segment.isOf(PT_NOTE), let part = head.part(segment.p_offset, segment.p_filesz) else { continue }
            for note in CoreNote.all(among: ELFNote.all(in: part, segment.noteAlignment).notes) {
                guard note?.abi == CoreVersion.abi, note?.compiler == CoreVersion.compiler else { return false }
                isOurs = true
            }
        }
        return isOurs && lowest <= highest && highest - lowest <= ELFSegments.memoryLimit
    }
}
