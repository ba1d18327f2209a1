import Console
import HostSystem
import PluginCore

/// The rules for the files of an Interface.
///
/// An Interface is compiled into every plugin that calls its owner, on the machines of other teams. So it has Swift sources only: with a
/// package manifest, a plugin of the build or a macro, it could run code while it is built. For the same reason, a library has nothing
/// but the textual interface of its module, and the library itself, which runs only in tests and in hosts.
enum InterfaceRules {
    /// The largest number of source files.
    static let fileCount = 256
    /// The largest size of a source file in bytes.
    static let fileSize = 1 << 20
    /// The largest size of all files together in bytes.
    static let totalSize: UInt64 = 4 << 20
    /// The largest size of the files of a library together in bytes.
    static let librarySize: UInt64 = 64 << 20
    /// The modules that an Interface may import, because every author has them.
    static let importable: Set = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "PageLayouts", "PluginCore", "PluginExtension",
        "Swift", "Synchronization",
    ]

    /// The modules that the compiler imports by itself, which only a textual interface names.
    private static let implicit: Set = [
        "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_SwiftConcurrencyShims",
    ]
    /// The options that a textual interface may have for the compiler. Others could make it load a library.
    private static let flags: Set = [
        "-O", "-Onone", "-Osize", "-disable-objc-interop", "-enable-bare-slash-regex", "-enable-experimental-feature",
        "-enable-library-evolution", "-enable-upcoming-feature", "-enforce-exclusivity",
        "-formal-cxx-interoperability-mode", "-interface-compiler-version", "-module-name",
        "-no-verify-emitted-module-interface", "-package-name", "-strict-concurrency", "-strict-memory-safety",
        "-swift-version",
    ]

    /// Returns the folder of the sources in an archive, or that of a library.
    static func folder(of module: String, isLibrary: Bool) -> String { isLibrary ? "Library" : "Sources/\(module)" }

    /// Returns the problem of a path in the archive of a library, or nil.
    static func problem(ofLibraryPath path: String, module: String) -> String? {
        let libraries = Platform.all.map { "\($0)/lib\(module).so" }
        let folder = folder(of: module, isLibrary: true)
        return (["\(module).swiftinterface"] + libraries).contains { path == "\(folder)/\($0)" }
            ? nil : "only \(folder)/\(module).swiftinterface and \(folder)/<platform>/lib\(module).so are allowed"
    }

    /// Returns the problem of a source's path in an archive, or nil.
    static func problem(ofPath path: String, module: String) -> String? {
        let folder = folder(of: module, isLibrary: false) + "/"
        guard path.hasPrefix(folder) else { return "only sources in \(folder) are allowed" }
        let names = path.dropFirst(folder.count).split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ $0.wholeMatch(of: /[A-Za-z0-9+_-][A-Za-z0-9+_.-]*/) != nil }) else {
            return "names consist of ASCII letters, digits, and + - _ . inside"
        }
        guard let name = names.last, name.hasSuffix(".swift") else { return "only Swift sources are allowed" }
        let lowercase = name.lowercased()
        if ["package.", "package@"].contains(where: lowercase.hasPrefix) { return "it is named as a package manifest" }
        return lowercase == "main.swift" ? "it is named as the main file of a program" : nil
    }

    /// Returns the problems of a source, or of a textual interface.
    static func problems(inSource bytes: [UInt8], isLibrary: Bool) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return ["it is not UTF-8"] }
        let known = isLibrary ? importable.union(implicit) : importable
        var problems = imports(in: text).filter { !known.contains($0) }.map {
            "it imports \($0), which callers need not have; \(importable.sorted().joined(separator: ", "))"
        }
        if isLibrary { problems += options(in: text).map { "it has the option \($0) for the compiler" } }
        // A macro would be a program that the compiler runs.
        return problems + (text.contains("#externalMacro") ? ["it declares a macro"] : [])
    }

    /// Returns the options in the head of a textual interface that are not allowed.
    private static func options(in text: String) -> [String] {
        // The compiler ends a line at a line feed alone, and separates words at any white space.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).filter {
            Substring($0).contains("swift-module-flags")
        }
        return lines.flatMap { line -> [String] in
            let words = Substring(line.drop { $0 != UInt8(ascii: ":") }.dropFirst()).split(separator: " ")
            return words.map(String.init).filter { word in
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let isOption = word.hasPrefix("-")
                if isOption, !flags.contains(String(parts[0])) { return true }
                let values = isOption ? parts.dropFirst() : [Substring(word)]
                return !values.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_.]+/) != nil }
            }
        }
    }

    /// Returns the names of imported modules.
    private static func imports(in text: String) -> [String] {
        let pattern =
            /^[ \t]*(?:@[A-Za-z_()]+[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)/
            .anchorsMatchLineEndings()
        return text.matches(of: pattern).map { String($0.1) }
    }
}

/// The file `component.json` of an Interface's archive.
struct InterfaceDescription {
    let identity: BundleIdentity
    let module: String
    let isLibrary: Bool

    private static let formatVersion = 1
    private static let kinds = ["interface", "library"]

    private struct Document: Decodable {
        let formatVersion: Int
        let kind, identifier, version, module: String
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let document = JSONText([
            "formatVersion": Self.formatVersion, "kind": Self.kinds[isLibrary ? 1 : 0],
            "identifier": identity.identifier, "version": identity.version, "module": module,
        ])
        return Array((document.text(pretty: true) + "\n").utf8)
    }
}

extension InterfaceDescription {
    /// Reads the file.
    init(reading bytes: [UInt8], of subject: String) throws {
        func refusal(_ problem: String) -> CommandError {
            .interfaceInvalid(subject, problems: ["\(InterfaceArchive.descriptionName): \(problem)"])
        }
        guard let document = try? StrictJSON.decode(Document.self, from: bytes) else {
            throw refusal("it is not the description of a component")
        }
        guard document.formatVersion == Self.formatVersion, Self.kinds.contains(document.kind) else {
            throw refusal("its format \(document.formatVersion) of kind \"\(document.kind)\" is not supported")
        }
        guard let identifier = BundleIdentifier(document.identifier), let version = SemanticVersion(document.version)
        else { throw refusal("it does not name a version of a plugin") }
        if let problem = InterfaceArchive.problem(ofModule: document.module) { throw refusal(problem) }
        identity = BundleIdentity(identifier: identifier, version: version)
        (module, isLibrary) = (document.module, document.kind == Self.kinds[1])
    }
}
