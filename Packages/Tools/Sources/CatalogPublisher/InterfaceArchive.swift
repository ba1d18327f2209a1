public import Authoring
public import BundleFormat
import CatalogFormat
import Console
import Glibc
public import PluginCore
import Signing
import TUFMetadata
public import Trust
import Zip
import ZipWriting

/// The archive of a plugin's Interface, or of a library that plugins share, sealed and signed by its team.
///
/// ```swift
/// let archive = try InterfaceArchive(opening: "com.example.app.orders-1.0.0_interface.zip")
/// try archive.verify(by: trust, for: .install, at: now)
/// try archive.extract(to: "Components/OrdersInterface")
/// ```
///
/// ```
/// component.json                                        the plugin, its version, and the name of the module
/// Sources/OrdersInterface/OrdersActions.swift, ...
/// Library/Money.swiftinterface, Library/x86_64-unknown-linux-gnu/libMoney.so     of a library, in place of sources
/// signature/seal.json, signature/seal.json.minisig      as in a package
/// ```
public struct InterfaceArchive: Sendable {
    /// The name of the file that describes the component.
    static let descriptionName = "component.json"
    private static let descriptionLimit = 1 << 14

    /// The plugin and its version.
    public let identity: BundleIdentity
    /// The name of the Swift module.
    public let module: String
    /// A Boolean value that indicates whether it has a library, which others link, in place of sources.
    public let isLibrary: Bool
    /// The seal, whose files the archive has.
    public let seal: Seal
    /// The SHA-256 of the seal in lowercase hexadecimal, which identifies the content.
    public let sealDigest: String
    /// The path of the archive.
    public let path: FilePath

    private let sealSource: [UInt8]
    private let signature: MinisignSignature
    private let archive: ZipArchive

    /// Opens an archive, and checks everything but its signer: names, sizes, contents and the seal.
    ///
    /// - Throws: ``CommandError`` with code `componentInvalid` and all problems; `AtriumError` with code `sealBroken`.
    public init(opening path: FilePath) throws {
        let subject = path.lastComponent
        self.path = path
        // The archive itself refuses links, and paths that lead out of its folder.
        let limits = ZipLimits(
            entryCount: 2 * InterfaceRules.fileCount,
            totalUncompressedSize: InterfaceRules.librarySize + UInt64(Seal.sizeLimit),
            compressionRatio: ZipLimits.usualRatio)
        archive = try Self.reporting(subject) { try ZipArchive(path: path.string, limits: limits) }
        let description = try InterfaceDescription(
            reading: try Self.bytes(Self.descriptionName, limit: Self.descriptionLimit, archive, subject), of: subject)
        (identity, module, isLibrary) = (description.identity, description.module, description.isLibrary)
        sealSource = try Self.bytes(Seal.name, limit: Seal.sizeLimit, archive, subject)
        seal = try Seal(reading: sealSource, of: subject)
        sealDigest = try HashAlgorithm.sha256.digest(of: sealSource)
        let signed = try Self.bytes(Seal.signatureName, limit: Self.descriptionLimit, archive, subject)
        signature = try Result { () throws(SigningError) in
            try MinisignSignature(String(decoding: signed, as: UTF8.self))
        }.mapError { CommandError.interfaceInvalid(subject, problems: ["\(Seal.signatureName): \($0)"]) }.get()
        let problems = try problems()
        guard problems.isEmpty else { throw CommandError.interfaceInvalid(subject, problems: problems) }
    }

    /// Runs a body in which the error of an archive is the problem of an Interface.
    private static func reporting<Result>(
        _ subject: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as ZipError {
            throw CommandError.interfaceInvalid(subject, problems: ["\(error)"])
        }
    }

    private static func bytes(
        _ name: String, limit: Int, _ archive: ZipArchive, _ subject: String
    ) throws(CommandError) -> [UInt8] {
        do {
            return try archive.contents(of: name, limit: limit)
        } catch {
            let problem = error.code == .noSuchEntry ? "it is missing" : "\(error)"
            throw .interfaceInvalid(subject, problems: ["\(name): \(problem)"])
        }
    }

    /// Returns the differences from the seal, and the violations of rules.
    private func problems() throws -> [String] {
        let files = archive.entries.filter { !$0.isDirectory && ![Seal.name, Seal.signatureName].contains($0.name) }
        var problems = try files.flatMap { entry in try self.problems(of: entry).map { "\(entry.name): \($0)" } }
        problems += Set(seal.files.map(\.path)).subtracting(files.map(\.name)).sorted().map {
            "\($0): it is sealed, and missing"
        }
        let sources = files.count { $0.name != Self.descriptionName && seal.file($0.name) != nil }
        if isLibrary, !files.contains(where: { $0.name.hasSuffix("interface") }) || sources < 2 {
            problems.append("it lacks the library, or the textual interface of its module")
        }
        if sources == 0, !isLibrary { problems.append("it has no sources") }
        if sources > InterfaceRules.fileCount {
            problems.append("it has more than \(InterfaceRules.fileCount) sources")
        }
        let limit = isLibrary ? InterfaceRules.librarySize : InterfaceRules.totalSize
        if files.reduce(0, { $0 + $1.uncompressedSize }) > limit {
            problems.append("it has more than \(byteCount(Int(limit)))")
        }
        return problems
    }

    private func problems(of entry: ZipEntry) throws -> [String] {
        var problems = entry.isExecutable ? ["it is executable"] : []
        guard let sealed = seal.file(entry.name) else { return problems + ["it is not sealed"] }
        let isBinary = isLibrary && entry.name.hasSuffix(".so")
        let limit = isBinary ? Int(InterfaceRules.librarySize) : InterfaceRules.fileSize
        guard entry.uncompressedSize <= UInt64(limit) else {
            return problems + ["it has more than \(byteCount(limit))"]
        }
        let bytes: [UInt8]
        do {
            bytes = try archive.contents(of: entry.name, limit: limit)
        } catch {
            return problems + ["\(error)"]
        }
        if try HashAlgorithm.sha256.digest(of: bytes) != sealed.sha256 || sealed.size != entry.uncompressedSize {
            problems.append("it differs from the sealed file")
        }
        guard entry.name != Self.descriptionName else { return problems }
        let problem =
            isLibrary
            ? InterfaceRules.problem(ofLibraryPath: entry.name, module: module)
            : InterfaceRules.problem(ofPath: entry.name, module: module)
        if let problem { return problems + [problem] }
        return isBinary ? problems : problems + InterfaceRules.problems(inSource: bytes, isLibrary: isLibrary)
    }

    /// Checks that a trusted team has signed the archive, and that the team owns the plugin's identifier, as for a package.
    ///
    /// - Throws: `AtriumError` with code `teamUnknown`, `teamForeign`, `keyRetired`, `keyRevoked` or `signatureInvalid`.
    public func verify(by store: TrustStore, for purpose: VerificationPurpose, at time: Int64) throws {
        let subject = identity.description
        let key = try store.validate(
            keyID: signature.keyID, team: seal.team, identifier: identity.identifier, subject: subject,
            purpose: purpose, at: time)
        try Result { () throws(SigningError) in try signature.verify(sealSource, by: key) }
            .mapError { AtriumError(.signatureInvalid, subject, reason: $0.reason) }.get()
    }

    /// Extracts all files to a new folder.
    ///
    /// - Throws: ``CommandError`` with code `componentInvalid`.
    public func extract(to folder: FilePath) throws {
        try Self.reporting(path.lastComponent) { try archive.extract(to: folder.string) }
    }
}

extension InterfaceArchive {
    /// Names that no module of a plugin can have: those of the SDK and of the toolchain.
    package static let reservedModules = InterfaceRules.importable.union([
        "Atrium", "Authoring", "Doctor", "ExtensionHost", "HostSystem", "PackageDescription", "PackagePlugin",
        "PluginDatabase", "PluginRouter", "PluginRuntime", "PluginTestKit", "Preflight", "Processes", "RemoteCatalog",
        "Resolver", "SQLite", "Signing", "TUF", "Testing", "Trust", "XCTest", "Zip",
    ])

    /// Returns the problem of a module's name, or nil.
    package static func problem(ofModule module: String) -> String? {
        if !CatalogInterface.isModule(module) {
            return "\"\(module)\" is not a module name: ASCII letters and digits, beginning with a capital letter"
        }
        return reservedModules.contains(module) ? "\"\(module)\" is a module of Swift or of the SDK" : nil
    }

    /// The component in words.
    public var name: String { "the \(isLibrary ? "library" : "Interface") \(module)" }

    /// Returns the file name of the archive, which lies beside the package of the plugin.
    public static func name(of identity: BundleIdentity) -> String {
        "\(identity.identifier)-\(identity.version)_interface.zip"
    }

    /// Returns whether a file name is that of such an archive.
    public static func isName(_ name: String) -> Bool { name.hasSuffix("_interface.zip") }

    /// Writes the archive of an Interface or of a library, and opens it as those do who fetch it.
    ///
    /// - Parameters:
    ///   - sources: The contents of the sources, or of the library's files, by their paths in the folder for them.
    ///   - module: The name of the module.
    ///   - isLibrary: Whether it is the archive of a library.
    ///   - identity: The plugin and its version.
    ///   - sealer: The key and the team that sign.
    ///   - folder: The folder for the archive.
    /// - Throws: ``CommandError`` with code `componentInvalid`; then no archive is left.
    public static func write(
        _ sources: [String: [UInt8]], module: String, isLibrary: Bool = false, of identity: BundleIdentity,
        sealedBy sealer: Sealer, into folder: FilePath
    ) throws -> InterfaceArchive {
        let path = folder.appending(name(of: identity))
        if let problem = problem(ofModule: module) {
            throw CommandError.interfaceInvalid(path.lastComponent, problems: [problem])
        }
        let description = InterfaceDescription(identity: identity, module: module, isLibrary: isLibrary)
        var files = [descriptionName: description.bytes]
        let place = InterfaceRules.folder(of: module, isLibrary: isLibrary)
        for (name, bytes) in sources { files["\(place)/\(name)"] = bytes }
        let sealed = try files.map { name, bytes in
            Seal.File(path: name, size: UInt64(bytes.count), sha256: try HashAlgorithm.sha256.digest(of: bytes))
        }
        let (seal, signature) = try sealer.sign(sealed, of: identity)
        files[Seal.name] = seal
        files[Seal.signatureName] = signature
        try reporting(path.lastComponent) {
            var writer = ZipWriter()
            for (name, bytes) in files { try writer.add(bytes, as: name) }
            try writer.write(to: path.string)
        }
        do {
            return try Self(opening: path)
        } catch {
            unlink(path.string)
            throw error
        }
    }
}
