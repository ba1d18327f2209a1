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
            "it is built for \(verdict.facts.architecture), but this host is \(ELFMachine.host)",
            remedy: Remedy.build(for: .host))
    }

    private func validateType(_ header: ELFHeader, _ verdict: inout LibraryVerdict) {
        guard header.type != ELFHeader.sharedObject else { return }
        let found =
            [1: "an object file", 2: "a program", 4: "a memory dump"][header.type] ?? "a file of type \(header.type)"
        verdict.add(.type, name, "it is \(found), not a shared library", remedy: Remedy.build)
    }

    private func add(_ flaw: ELFFlaw, to verdict: inout LibraryVerdict) {
        switch flaw {
        case .noELF: verdict.add(.format, name, "it is not an ELF file", remedy: Remedy.build)
        case .truncated(let part):
            guard !verdict.findings.contains(where: { $0.rule == .truncated }) else { return }
            verdict.add(
                .truncated, name, "it is truncated: it ends at byte \(file.count), before the end of \(part)",
                remedy: Remedy.reload)
        case .malformed(let words):
            verdict.add(.malformed, name, "it is malformed: \(words)", remedy: Remedy.reload)
        case .excessive(let words):
            verdict.add(.unreadable, name, "it exceeds a limit: \(words)", remedy: Remedy.build)
        }
    }
}
