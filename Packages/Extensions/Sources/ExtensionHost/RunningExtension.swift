public import ConfinementReporting
import ExtensionProcess
import ExtensionProtocol
import HostSystem
public import PluginCore
public import PluginExtension
import PluginIsolation
import PluginRouter
import PluginRuntime
import Registry

/// An enabled extension of an active version, with the limits of its process.
struct RunnableExtension {
    let declaration: ExtensionDeclaration
    let bundle: PluginBundle
    let limits: ExtensionLimits
}

/// An extension of an installed version, in its process.
struct RunningExtension {
    let process: ExtensionProcess
    let bundle: PluginBundle
    private let pages: RequestPages
    private let identifier: BundleIdentifier
    private let log: @Sendable (AtriumError) -> Void

    /// Starts the process of an extension, and loads the extension in it.
    ///
    /// - Throws: The errors of loading a bundle and of the process; ``AtriumError`` with code `extensionMismatch` if the library names another
    ///   extension point than the manifest.
    init(_ found: RunnableExtension, by manager: Host, running runner: FilePath) async throws {
        let (declaration, bundle) = (found.declaration, found.bundle)
        let data = try await manager.use(dataOf: bundle)
        let prepared = try PreparedCode(declaration.entry, of: bundle, using: data, by: manager.policy)
        let services = CodeServices(prepared, extension: declaration.identifier, in: manager) { address in
            let origin = RequestOrigin.extension(bundle.identifier.text)
            _ = try await manager.router.routing(for: origin).open(address)
        }
        let end = ExtensionProcess.End()
        pages = await RequestPages(until: end)
        process = try await services.start(
            running: runner, limits: found.limits, languages: manager.services.languages,
            calledBy: pages.objects, until: end)
        guard process.launched.point == declaration.point else {
            await process.end()
            throw AtriumError.mismatch(
                declaration.identifier, declared: declaration.point, found: process.launched.point ?? "")
        }
        self.bundle = bundle
        identifier = declaration.identifier
        log = { [log = manager.log] in log(declaration.identifier.text, .error, .error($0)) }
    }

    /// Performs a request, after which the process can be used again unless there was an error.
    ///
    /// - Parameter stack: The stack for the request's page, or nil for a host that shows none.
    func perform(
        _ content: RequestContent, on stack: PageStack?, onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> ExtensionResult {
        do {
            let time = process.newTime()
            let perform: @Sendable () async throws -> RequestContent = { [process] in
                try await process.perform(content, in: time, onProgress: onProgress)
            }
            // Without the closure, the call stays on the caller's actor.
            let reply =
                if let stack { try await pages.during(time, of: identifier, on: stack, perform) } else {
                    try await process.perform(content, in: time, onProgress: onProgress)
                }
            return ExtensionResult(
                output: reply.value, items: reply.items, confinement: process.launched.confinement)
        } catch {
            await process.end()
            throw error
        }
    }

    /// Ends the process, and logs the reason if the extension's code is to blame that it did not end as it was asked to.
    func end() async {
        guard let failure = await process.end(), failure.isExtensionFailure else { return }
        log(failure)
    }
}

/// An extension point at which extensions can be installed.
public struct OfferedExtensionPoint: Hashable, Sendable {
    /// The identifier and the limits.
    public let declaration: ExtensionPointDeclaration
    /// The bundle that declares the point, or nil for the host.
    public let bundle: BundleIdentifier?
}

/// The result of a request to an extension.
public struct ExtensionResult: Sendable {
    /// The output of the extension point's contract, as JSON.
    public let output: CodedValue
    /// The items that the extension returned.
    public let items: [ExtensionItem]
    /// The rights that the kernel has taken from the extension's process.
    public let confinement: ConfinementReport
}

extension AtriumError.Code {
    /// An extension that the user has disabled.
    public static let extensionDisabled = Self("extensionDisabled")
    /// An extension that does not accept an input.
    public static let extensionInactive = Self("extensionInactive")
    /// An extension whose code and manifest name different extension points, or that belongs to another point than the request.
    public static let extensionMismatch = Self("extensionMismatch")
    /// An extension point that neither the host nor an installed bundle declares.
    public static let extensionPointUnknown = Self("extensionPointUnknown")
    /// A request whose page the user has left.
    public static let requestCanceled = Self("requestCanceled")
}

extension AtriumError {
    /// Returns the error for an extension of another extension point.
    static func mismatch(_ identifier: BundleIdentifier, declared: String, found: String) -> AtriumError {
        AtriumError(
            .extensionMismatch, identifier, reason: "extensionPointDiffers",
            ["declared": .text(declared), "found": .text(found)])
    }
}
