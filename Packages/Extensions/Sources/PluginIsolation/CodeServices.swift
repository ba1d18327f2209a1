import CrashReports
package import ExtensionProcess
package import ExtensionProtocol
import HostSystem
package import PluginCore
package import PluginExtension
package import PluginRuntime
package import Processes
import Registry

/// The services of a host for a process that runs prepared code.
package struct CodeServices: ExtensionServices {
    private let code: PreparedCode
    private let `extension`: BundleIdentifier?
    private let sandbox: Sandbox
    private let registry: Registry
    private let host: HostServices
    private let open: @Sendable (String) async throws -> Void

    private var bundle: BundleIdentity { code.bundle.identity }
    private var identifier: BundleIdentifier { `extension` ?? bundle.identifier }
    private var name: String { identifier.text }

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - extension: The extension; nil for the bundle's plugin.
    ///   - open: Opens an address that the code has requested.
    package init(
        _ code: PreparedCode, extension: BundleIdentifier? = nil, in part: some SandboxPart,
        open: @escaping @Sendable (String) async throws -> Void
    ) {
        self.code = code
        self.extension = `extension`
        (sandbox, registry, host) = (part.sandbox, part.registry, part.services)
        // From now on, a message of the process can end this one.
        CrashReporting.begin(in: sandbox.crashReports)
        self.open = open
    }

    package func open(_ address: String) async throws { try await open(address) }

    package func resource(_ name: String) async throws -> [UInt8] { try code.resource(name) }

    package func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
        try registry.extensionChoices.setHasContent(hasContent, of: identifier, by: bundle.identifier)
    }

    package func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        do {
            try CrashReportFolder(sandbox).add(
                RecordedCrash(
                    crash, cause, process: process,
                    purpose: RecordedCrash.Purpose(bundle: bundle, extension: `extension`), libraries: code.origins,
                    at: Clock.now()))
        } catch {
            host.log("host", .error, .error(error))
        }
    }

    package func output(_ line: String) {
        if let output = host.output { output(name, line) } else { log(.info, line) }
    }

    package func log(_ level: BundleLogger.Level, _ message: String) { host.log(name, level, .verbatim(message)) }
}

extension CodeServices {
    /// Starts a process that loads the code.
    ///
    /// - Parameter objects: The objects that a plugin calls, or nil for an extension.
    /// - Throws: The errors of loading a bundle, and those of ``ExtensionProcess``.
    package func start(
        running runner: FilePath, limits: ExtensionLimits, languages: [String],
        calledBy objects: ObjectConnection? = nil, until end: ExtensionProcess.End = ExtensionProcess.End(),
        onEnd: @escaping @Sendable (AtriumError) -> Void = { _ in }
    ) async throws -> ExtensionProcess {
        let started: Result<ExtensionProcess, any Error>
        do {
            started = .success(
                try await ExtensionProcess(
                    running: runner, code.launch(identifier, limits: limits, languages: languages), limits: limits,
                    self, calledBy: objects, until: end, onEnd: onEnd))
        } catch {
            started = .failure(error)
        }
        // A library that was replaced while it was loaded explains a failure better than what it caused.
        try code.finishLoading()
        return try started.get()
    }
}

extension PreparedCode {
    /// Returns the message that makes a process load the code.
    ///
    /// - Parameter identifier: The identifier of the extension, or of the bundle for its plugin.
    package func launch(
        _ identifier: BundleIdentifier, limits: ExtensionLimits, languages: [String]
    ) throws(AtriumError) -> Launch {
        var attachments: [AttachmentFile] = []
        for file in libraries { attachments.append(try AttachmentFile(duplicating: file.descriptor)) }
        let groups = groups.mapValues(\.string)
        // A plugin runs as long as its host.
        let processorTime = identifier == bundle.identifier ? 0 : limits.processorTime.rounded(.up)
        return Launch(
            identifier: identifier.text, bundle: bundle.identifier.text,
            version: bundle.version.description, libraries: attachments, resources: resources.string,
            languages: languages, container: data.container.root.string, groups: groups,
            readable: (folders + HostLibraryFolders.all).map(\.string),
            writable: [data.container.root.string] + groups.values.sorted(),
            hasNetwork: permissions.contains(.network),
            host: CurrentProcess.number, memory: UInt64(limits.memory), fileSize: UInt64(limits.fileSize),
            openFiles: UInt32(limits.openFiles), processorSeconds: UInt32(min(processorTime, 1e9)))
    }
}
