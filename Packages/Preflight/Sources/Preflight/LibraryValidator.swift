import HostSystem
import PluginCore

/// Checks one library against all rules.
struct LibraryValidator {
    let file: ByteView
    let name: String
    let dependencies: LibraryDependencies
    /// The platform that the library is checked for. Only for this process's platform, its needs can be compared with what a host offers.
    let platform: String
    /// The host that is to load the library; `nil` for this process.
    let host: HostDescription?
    let work: ELFWork

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

    func report() -> LibraryReport {
        var report = LibraryReport()
        do throws(ELFFlaw) {
            let header = try ELFHeader(file)
            validateMachine(header, &report)
            guard header.isReadable else { return report }
            validateType(header, &report)
            // A truncated file is rejected even if everything that is loaded is there.
            do throws(ELFFlaw) {
                try ELFLibrary.checkSections(of: file, header)
            } catch {
                add(error, to: &report)
            }
            // Object files have no segments, and nothing else to check.
            guard header.type == ELFHeader.sharedObject || header.segments.count > 0 else { return report }
            let library = try ELFLibrary(file, header)
            report.facts.soname = library.dynamic.name
            report.facts.isRead = true
            readCore(library, &report)
            try validateEntry(library, &report)
            validateCore(&report)
            validateSearchPath(library, &report)
            if let host {
                validateNeeds(library, of: host, &report)
                return report
            }
            guard header.machine == .host, platform == Platform.triple else { return report }
            try ELFLayout(library, header).check()
            try ELFRelocations(library, header).check(work)
            // A library for another Core lacks symbols for that reason alone.
            if report.facts.isForCurrentCore { try validateNeeds(library, &report) }
        } catch {
            add(error, to: &report)
        }
        return report
    }

    private func validateMachine(_ header: ELFHeader, _ report: inout LibraryReport) {
        let width = header.bits == 64 ? "" : "\(header.bits)-bit "
        let order = header.isLittleEndian ? "" : "big-endian "
        report.facts.architecture = "\(order)\(width)\(header.machine)"
        let machine = ELFMachine(platform: platform) ?? .host
        guard !header.isReadable || header.machine != machine else { return }
        let architecture = report.facts.architecture
        report.add(
            .machine, architecture,
            platform == Platform.triple
                ? ErrorReason("architectureDiffers", ["architecture": .text(architecture), "host": "\(machine)"])
                : ErrorReason(
                    "architectureOfOther", ["architecture": .text(architecture), "platform": .text(platform)]),
            remedy: Remedy.build(for: machine))
    }

    private func validateType(_ header: ELFHeader, _ report: inout LibraryReport) {
        guard header.type != ELFHeader.sharedObject else { return }
        let what =
            switch header.type {
            case 1: ErrorReason("libraryIsObject")
            case 2: ErrorReason("libraryIsProgram")
            case 4: ErrorReason("libraryIsDump")
            default: ErrorReason("libraryIsOfType", ["type": .integer(Int(header.type))])
            }
        report.add(.type, name, what, remedy: Remedy.build)
    }

    private func add(_ flaw: ELFFlaw, to report: inout LibraryReport) {
        switch flaw {
        case .noELF: report.add(.format, name, ErrorReason("notELF"), remedy: Remedy.build)
        case .truncated(let part):
            guard !report.findings.contains(where: { $0.rule == .truncated }) else { return }
            report.add(
                .truncated, name,
                ErrorReason("libraryTruncated", ["size": .integer(file.count), "part": .reason(part)]),
                remedy: Remedy.reload)
        case .malformed(let problem):
            report.add(
                .malformed, name, ErrorReason("libraryMalformed", ["problem": .reason(problem)]), remedy: Remedy.reload)
        case .excessive(let problem):
            report.add(
                .unreadable, name, ErrorReason("libraryExcessive", ["problem": .reason(problem)]), remedy: Remedy.build)
        }
    }
}
