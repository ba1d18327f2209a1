public import BundleFormat
import CELF
import HostSystem
import PluginCore
import PluginRuntime
import Processes

/// Checks one library against all rules.
final class LibraryValidator {
    let file: ByteView
    let name: String
    let dependencies: LibraryDependencies
    /// The platform or build that the library is checked for. Only for this process's, its needs can be compared with what a host offers.
    let platform: String
    /// The host that is to load the library; `nil` for this process.
    let host: HostDescription?
    let work: ELFWork
    var report = LibraryReport()

    private var build: LibraryBuild { LibraryBuild(platform) }
    private var isForThisHost: Bool { [LibraryBuild.host.folder, LibraryBuild.host.platform].contains(platform) }

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
        guard header.machine == .host, isForThisHost else { return }
        try library.checkLayout(work)
        // A library for another Core lacks symbols for that reason alone.
        if report.facts.isForCurrentCore { try validateNeeds(library) }
    }

    private func validateMachine(_ header: ELFHeader) {
        let width = header.bits == 64 ? "" : "\(header.bits)-bit "
        let order = header.isLittleEndian ? "" : "big-endian "
        let architecture = "\(order)\(width)\(header.machine)"
        report.facts.architecture = architecture
        let machine = ELFMachine(platform: build.platform) ?? .host
        guard !header.isReadable || header.machine != machine else { return }
        let what =
            build.platform == Platform.triple
            ? ErrorReason("architectureDiffers", ["architecture": "\(architecture)", "host": "\(machine)"])
            : ErrorReason("architectureOfOther", ["architecture": "\(architecture)", "platform": "\(platform)"])
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
    private func collectingFlaw(_ body: () throws(ELFFlaw) -> Void) {
        do {
            try body()
        } catch {
            switch error {
            case .noELF: report.add(.format, name, reason: "notELF")
            case .truncated(let part):
                guard !report.findings.contains(where: { $0.rule == .truncated }) else { return }
                report.add(
                    .truncated, name, reason: "libraryTruncated",
                    ["size": .integer(file.count), "part": .reason(part)])
            case .malformed(let problem):
                report.add(.malformed, name, reason: "libraryMalformed", ["problem": .reason(problem)])
            case .excessive(let problem):
                report.add(.unreadable, name, reason: "libraryExcessive", ["problem": .reason(problem)])
            }
        }
    }

    func validateEntry(_ library: ELFLibrary) throws(ELFFlaw) {
        if library.dynamic.isProgram { report.add(.type, name, reason: "libraryIsProgram") }
        let entry = try library.symbols.exported(SymbolName(PluginEntry.symbol), work)
        report.facts.hasEntry = entry?.isFunction == true
        // Each Core ABI has an entry symbol of its own.
        guard !report.facts.hasEntry, report.facts.isForCurrentCore, host == nil else { return }
        report.add(
            .entry, PluginEntry.symbol, reason: entry == nil ? "entryNotExported" : "entryNotFunction",
            ["symbol": "\(PluginEntry.symbol)"])
    }

    func readCore(_ library: ELFLibrary) {
        let notes = CoreNote.all(among: library.notes).compactMap(\.self)
        report.facts.coreABIs = notes.map(\.abi).unique
        report.facts.coreReleases = notes.map(\.release).unique
        report.facts.compilers = notes.map(\.compiler).unique
    }

    func validateCore() {
        if report.facts.coreABIs.isEmpty { report.add(.coreABI, name, reason: "coreNotDeclared") }
        if build.coreABI != nil, host == nil, !isForThisHost { return validateBuild() }
        let ownABI = host?.coreABI ?? CoreVersion.abi
        for abi in report.facts.coreABIs where abi != ownABI {
            let remedy = abi < ownABI ? nil : ErrorReason("rebuildHost")
            report.add(
                .coreABI, "\(abi)", reason: "libraryABIDiffers", ["abi": "\(abi)", "host": "\(ownABI)"], remedy: remedy)
        }
        let ownCompiler = host?.compiler ?? CoreVersion.compiler
        for compiler in report.facts.compilers where compiler != ownCompiler {
            report.add(
                .compiler, compiler, reason: "libraryCompilerDiffers",
                ["compiler": "\(compiler)", "host": "\(ownCompiler)"])
        }
    }
}

extension LibraryValidator {
    /// Compares the compiler and the Core ABI of the library with those of its folder.
    private func validateBuild() {
        let built = report.facts.build(for: build.platform)
        guard built != build, !report.facts.coreABIs.isEmpty else { return }
        let words = built?.words ?? report.facts.compilers.joined(separator: ", ")
        report.add(
            .compiler, words, reason: "libraryOfOtherBuild", ["built": "\(words)", "folder": "\(platform)"],
            remedy: ErrorReason("packLibraryAgain"))
    }
}

extension LibraryFacts {
    /// Returns the build for hosts of a platform; `nil` for a library without the versions it was built with, or with several.
    public func build(for platform: String) -> LibraryBuild? {
        guard coreABIs.count == 1, compilers.count == 1 else { return nil }
        return LibraryBuild(platform: platform, compiler: compilers[0], coreABI: coreABIs[0])
    }
}

extension LibraryReport {
    /// Reports that a manifest is for another Core than the host's.
    ///
    /// If the library names the Core that it was built for, the manifest is reported as wrong.
    mutating func add(manifestABI abi: UInt32, than host: UInt32) {
        guard let built = facts.coreABIs.first else {
            let (what, remedy) = ErrorReason.manifestABI(abi, than: host)
            return add(.coreABI, "\(abi)", reason: what, remedy: remedy)
        }
        add(
            .coreABI, "\(abi)", reason: "manifestABIOfOther", ["abi": "\(abi)", "built": "\(built)"],
            remedy: ErrorReason("correctManifestABI", ["built": "\(built)"]))
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of their first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
