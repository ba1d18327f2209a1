import CELF
import HostSystem
import PluginCore
import Processes

/// Checks one library against all rules.
final class LibraryValidator {
    let file: ByteView
    let name: String
    let dependencies: LibraryDependencies
    /// The platform that the library is checked for. Only for this process's platform, its needs can be compared with what a host offers.
    let platform: String
    /// The host that is to load the library; `nil` for this process.
    let host: HostDescription?
    let work: ELFWork
    var report = LibraryReport()

    init(
        _ file: MappedFile, named name: String, _ dependencies: LibraryDependencies, platform: String = Platform.triple,
        for host: HostDescription? = nil
    ) {
        self.platform = host?.platform ?? platform
        self.host = host
        self.file = ByteView(file)
        self.name = name
        self.dependencies = dependencies
        work = ELFWork(size: self.file.count)
    }

    /// Runs all checks, once.
    func validated() -> LibraryReport {
        collectingFlaw(validate)
        return report
    }

    private func validate() throws(ELFFlaw) {
        let header = try ELFHeader(file)
        validateMachine(header)
        guard header.isReadable else { return }
        validateType(header)
        // A truncated file is rejected even if everything that is loaded is there.
        collectingFlaw { () throws(ELFFlaw) in try ELFLibrary.checkSections(of: file, header) }
        // Object files have no segments, and nothing else to check.
        guard header.isSharedObject || header.fields.e_phnum > 0 else { return }
        let library = try ELFLibrary(file, header)
        report.facts.soname = library.dynamic.name
        report.facts.isRead = true
        readCore(library)
        try validateEntry(library)
        validateCore()
        validateSearchPath(library)
        if let host { return validateNeeds(library, of: host) }
        guard header.machine == .host, platform == Platform.triple else { return }
        try ELFLayout(library).check(work)
        // A library for another Core lacks symbols for that reason alone.
        if report.facts.isForCurrentCore { try validateNeeds(library) }
    }

    private func validateMachine(_ header: ELFHeader) {
        let width = header.bits == 64 ? "" : "\(header.bits)-bit "
        let order = header.isLittleEndian ? "" : "big-endian "
        let architecture = "\(order)\(width)\(header.machine)"
        report.facts.architecture = architecture
        let machine = ELFMachine(platform: platform) ?? .host
        guard !header.isReadable || header.machine != machine else { return }
        let values: [String: ErrorReason.Value] = ["architecture": .text(architecture)]
        let what =
            platform == Platform.triple
            ? ErrorReason("architectureDiffers", values.merging(["host": "\(machine)"]) { $1 })
            : ErrorReason("architectureOfOther", values.merging(["platform": .text(platform)]) { $1 })
        report.add(.machine, architecture, reason: what, remedy: machine.remedy)
    }

    private func validateType(_ header: ELFHeader) {
        guard !header.isSharedObject else { return }
        let what =
            switch header.type {
            case 1: ErrorReason("libraryIsObject")
            case 2: ErrorReason("libraryIsProgram")
            case 4: ErrorReason("libraryIsDump")
            default: ErrorReason("libraryIsOfType", ["type": .integer(Int(header.type))])
            }
        report.add(.type, name, reason: what)
    }

    /// Runs a check, and adds a finding for a flaw of the file.
    private func collectingFlaw(_ check: () throws(ELFFlaw) -> Void) {
        do throws(ELFFlaw) {
            try check()
        } catch {
            switch error {
            case .noELF: report.add(.format, name, reason: "notELF")
            case .truncated(let part):
                guard !report.findings.contains(where: { $0.rule == .truncated }) else { return }
                let values: [String: ErrorReason.Value] = ["size": .integer(file.count), "part": .reason(part)]
                report.add(.truncated, name, reason: ErrorReason("libraryTruncated", values))
            case .malformed(let problem):
                report.add(.malformed, name, reason: "libraryMalformed", ["problem": .reason(problem)])
            case .excessive(let problem):
                report.add(.unreadable, name, reason: "libraryExcessive", ["problem": .reason(problem)])
            }
        }
    }
}
