import HostSystem
import PluginCore

/// Checks one library against all rules.
struct LibraryValidator {
    let file: ByteView
    let name: String
    let dependencies: LibraryDependencies
    let work: ELFWork

    init(_ file: MappedFile, named name: String, _ dependencies: LibraryDependencies) {
        self.file = ByteView(file)
        self.name = name
        self.dependencies = dependencies
        work = ELFWork(size: self.file.count)
    }

    func verdict() -> LibraryVerdict {
        var verdict = LibraryVerdict()
        do throws(ELFFlaw) {
            let header = try ELFHeader(file)
            validateMachine(header, &verdict)
            guard header.isReadable else { return verdict }
            validateType(header, &verdict)
            // A truncated file is rejected even if everything that is loaded is there.
            do throws(ELFFlaw) {
                try ELFLibrary.checkSections(of: file, header)
            } catch {
                add(error, to: &verdict)
            }
            // Object files have no segments, and nothing else to check.
            guard header.type == ELFHeader.sharedObject || header.segments.count > 0 else { return verdict }
            let library = try ELFLibrary(file, header)
            verdict.facts.soname = library.dynamic.name
            verdict.facts.isRead = true
            readCore(library, &verdict)
            try validateEntry(library, &verdict)
            validateCore(&verdict)
            validateSearchPath(library, &verdict)
            guard header.machine == .host else { return verdict }
            try ELFLayout(library, header).check()
            try ELFRelocations(library, header).check(work)
            // A library for another Core lacks symbols for that reason alone.
            if verdict.facts.isForCurrentCore { try validateNeeds(library, &verdict) }
        } catch {
            add(error, to: &verdict)
        }
        return verdict
    }

    private func validateMachine(_ header: ELFHeader, _ verdict: inout LibraryVerdict) {
        let width = header.bits == 64 ? "" : "\(header.bits)-bit "
        let order = header.isLittleEndian ? "" : "big-endian "
        verdict.facts.architecture = "\(order)\(width)\(header.machine)"
        guard !header.isReadable || header.machine != .host else { return }
        verdict.add(
            .machine, verdict.facts.architecture,
            ErrorReason(
                "architectureDiffers",
                ["architecture": .text(verdict.facts.architecture), "host": "\(ELFMachine.host)"]),
            remedy: Remedy.build(for: .host))
    }

    private func validateType(_ header: ELFHeader, _ verdict: inout LibraryVerdict) {
        guard header.type != ELFHeader.sharedObject else { return }
        let what =
            switch header.type {
            case 1: ErrorReason("libraryIsObject")
            case 2: ErrorReason("libraryIsProgram")
            case 4: ErrorReason("libraryIsDump")
            default: ErrorReason("libraryIsOfType", ["type": .integer(Int(header.type))])
            }
        verdict.add(.type, name, what, remedy: Remedy.build)
    }

    private func add(_ flaw: ELFFlaw, to verdict: inout LibraryVerdict) {
        switch flaw {
        case .noELF: verdict.add(.format, name, ErrorReason("notELF"), remedy: Remedy.build)
        case .truncated(let part):
            guard !verdict.findings.contains(where: { $0.rule == .truncated }) else { return }
            verdict.add(
                .truncated, name,
                ErrorReason("libraryTruncated", ["size": .integer(file.count), "part": .reason(part)]),
                remedy: Remedy.reload)
        case .malformed(let problem):
            verdict.add(
                .malformed, name, ErrorReason("libraryMalformed", ["problem": .reason(problem)]), remedy: Remedy.reload)
        case .excessive(let problem):
            verdict.add(
                .unreadable, name, ErrorReason("libraryExcessive", ["problem": .reason(problem)]), remedy: Remedy.build)
        }
    }
}
