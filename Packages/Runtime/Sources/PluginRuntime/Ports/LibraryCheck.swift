import BundleFormat
public import HostSystem
public import PluginCore

/// The check of libraries before any of their code runs.
public protocol LibraryCheck: Sendable {
    /// Returns whether the start of a file gives no reason to check the library in full before it is loaded.
    func isSound(_ library: LibraryFile) -> Bool

    /// Returns whether this process can load a library.
    ///
    /// - Parameters:
    ///   - bundle: the bundle, for errors.
    ///   - dependencies: the libraries of the bundles that it requires, by the names they are needed by.
    func diagnosis(
        of library: FilePath, of bundle: BundleIdentity, dependencies: [String: FilePath]
    ) -> LibraryDiagnosis

    /// Returns whether a host can load the libraries of a bundle: its own, and those of its extensions.
    ///
    /// An extension may be linked with the same libraries as its bundle.
    ///
    /// - Parameters:
    ///   - folder: the bundle's folder.
    ///   - dependencies: the libraries of the bundles that it requires, by the names they are needed by.
    ///   - isInstalled: `true` for a version that an earlier host may have installed without having asked for all links.
    /// - Returns: the result for the first library that cannot be loaded.
    func diagnosis(
        ofLibrariesOf manifest: Manifest, in folder: FilePath, dependencies: [String: FilePath], isInstalled: Bool
    ) -> LibraryDiagnosis
}

/// The result of checking a library.
public struct LibraryDiagnosis: Sendable {
    /// The error for a library that cannot be loaded.
    public var refusal: AtriumError?
    /// A Boolean value that indicates whether it needs a library that neither the host nor a required bundle has.
    public var lacksLibrary = false
    /// The parts of the Swift runtime that it needs and the process hasn't loaded yet.
    public var missingRuntime: [FilePath] = []

    /// Creates a result.
    public init(refusal: AtriumError? = nil) { self.refusal = refusal }
}

/// A check that reads no library: its file is there, and the manifest names this host's ABI of Core.
///
/// The loader refuses most other libraries, too, but with less of a reason, and some of them end the process.
public struct ManifestLibraryCheck: LibraryCheck {
    /// Creates the check.
    public init() {}

    /// Returns `true`.
    public func isSound(_ library: LibraryFile) -> Bool { true }

    /// Returns that the library can be loaded.
    public func diagnosis(
        of library: FilePath, of bundle: BundleIdentity, dependencies: [String: FilePath]
    ) -> LibraryDiagnosis { LibraryDiagnosis() }

    /// Returns an error for a manifest that names another Core, and for the first library that is missing.
    public func diagnosis(
        ofLibrariesOf manifest: Manifest, in folder: FilePath, dependencies: [String: FilePath], isInstalled: Bool
    ) -> LibraryDiagnosis {
        do throws(AtriumError) {
            for entry in manifest.libraries {
                let path = try BundleShape.libraryPath(of: entry, of: manifest.identity, in: folder)
                if path == BundleShape.libraryPath(of: entry) { try manifest.requireCore() }
                guard try FileSystem.item(at: folder.appending(path)) == nil else { continue }
                throw AtriumError(
                    .libraryMissing, manifest.identity, reason: "libraryNotContained", ["path": .text(path)])
            }
            return LibraryDiagnosis()
        } catch {
            return LibraryDiagnosis(refusal: error)
        }
    }
}

extension Manifest {
    /// Checks that the manifest names the ABI of Core of a host.
    ///
    /// - Throws: ``AtriumError`` with code `libraryIncompatible`.
    func requireCore(of host: LibraryBuild = .host) throws(AtriumError) {
        let hostABI = host.coreABI ?? CoreVersion.abi
        guard entry != nil, coreABI != hostABI else { return }
        let (what, remedy) = ErrorReason.manifestABI(coreABI, than: hostABI)
        let finding = ErrorReason("libraryFinding", ["what": .reason(what), "remedy": .reason(remedy)])
        throw AtriumError(.libraryIncompatible, identity, problems: [finding])
    }
}

extension ErrorReason {
    /// Returns the description of a manifest for another Core than the host's, and the advice.
    package static func manifestABI(_ abi: UInt32, than host: UInt32) -> (what: ErrorReason, remedy: ErrorReason) {
        let rebuild =
            abi < host
            ? ErrorReason("rebuildPlugin", ["core": .text(CoreVersion.release)]) : ErrorReason("rebuildHost")
        return (
            ErrorReason("manifestABIDiffers", ["abi": "\(abi)", "host": "\(host)"]),
            ErrorReason("rebuildOrCorrectManifest", ["rebuild": .reason(rebuild)])
        )
    }
}
