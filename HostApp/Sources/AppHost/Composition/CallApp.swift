import BundleFormat
import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import Resolver
import Synchronization

/// The app of one call, whose bundle.json is read when something first needs it.
final class CallApp: Admission {
    /// The place of bundle.json; `nil` for an app that consists of whatever is installed.
    let source: CompositionSource?
    private let converters: RouteConverters
    private let known = Mutex<Result<OwnComposition, AtriumError>?>(nil)

    /// Creates an app without reading anything.
    init(_ source: CompositionSource?, converters: RouteConverters) {
        self.source = source
        self.converters = converters
    }

    /// Creates the app of a bundle.json that the user has named, or else of the one in the program, or else of the file beside it.
    convenience init(named file: FilePath?, in environment: HostEnvironment) {
        let host = HostConfiguration.current
        let text = file == nil ? host.composition.map { CompositionSource.text($0) } : nil
        self.init(text ?? (file ?? environment.composition).map { .file($0) }, converters: host.converters)
    }

    /// The contents of the host's own bundle.json.
    struct OwnComposition: Sendable {
        let bytes: [UInt8]
        let composed: ComposedRoutes
    }

    /// Returns the host's own bundle.json, which is read once.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, `fileUnknown` or `inputOutput`.
    func own() throws(AtriumError) -> OwnComposition {
        try known.withLock { known in
            let result = known ?? Result { () throws(AtriumError) in try read() }
            known = result
            return result
        }.get()
    }

    private func read() throws(AtriumError) -> OwnComposition {
        guard let source else { return OwnComposition(bytes: [], composed: .none) }
        let content = try source.content()
        return OwnComposition(
            bytes: content, composed: try ComposedRoutes(content, of: source.path, converters: converters))
    }

    /// Returns the bundles of the app with the versions that it allows.
    func members() throws(AtriumError) -> [AppMember] { try own().composed.composition.appMembers }

    /// Returns the rule that only allows the versions in the ranges of the members.
    func installRule() throws(AtriumError) -> InstallRule {
        let members = Dictionary(grouping: try members(), by: \.identifier)
        return { identity in
            let excluding = members[identity.identifier]?.first { !$0.allows(identity.version) }
            return excluding?.versions.map {
                AtriumError(.excludedByApp, identity.description, reason: "appRange", ["range": "\($0)"])
            }
        }
    }

    /// Checks a version of the bundle that contains the app's bundle.json.
    ///
    /// This host must be able to use the file, and the manifest must require exactly the versions that it allows.
    func permit(_ manifest: Manifest, in folder: FilePath) throws(AtriumError) {
        guard try own().composed.composition.bundle == manifest.identity.identifier else { return }
        let composition: Composition
        do throws(AtriumError) {
            composition = try ComposedRoutes(
                contentsOf: folder.appending("Resources").appending(Self.file), converters: converters
            ).composition
        } catch {
            if error.code == .inputOutput { throw error }
            throw Self.unusable(manifest, error.problems.isEmpty ? [error.reason ?? .error(error)] : error.problems)
        }
        if let other = composition.bundle {
            throw Self.unusable(manifest, [ErrorReason("compositionNested", ["bundle": .text(other)])])
        }
        let problems = composition.appMembers.filter { member in
            !manifest.requirements.contains {
                $0.identifier == member.identifier && $0.versions == member.versions ?? .any && !$0.isOnDemand
            }
        }.map { member in
            ErrorReason(
                "memberNotRequired",
                ["bundle": .text(member.identifier), "range": "\(member.versions ?? .any)"])
        }
        if !problems.isEmpty { throw Self.unusable(manifest, problems) }
    }

    private static func unusable(_ manifest: Manifest, _ problems: [ErrorReason]) -> AtriumError {
        AtriumError(
            .packageInvalid, manifest.identity.description, reason: ErrorReason("compositionUnusable"),
            problems: problems)
    }

    /// The name of a bundle.json among the resources of a bundle.
    static let file = "bundle.json"

    /// Returns the bundle.json that applies: that of the installed bundle that the host's own names, or else the host's own.
    ///
    /// An installed one that cannot be used is an error. With the host's own in its place, the app would lose the guards of the newer one.
    ///
    /// - Throws: as ``own()``, and ``AtriumError`` with code `sealBroken` and others if the installed one must not be used.
    func composition(in manager: BundleManager) throws(AtriumError) -> ComposedRoutes {
        let own = try own().composed
        guard let bundle = own.composition.bundle, let resource = try manager.resource(Self.file, of: bundle) else {
            return own
        }
        return try ComposedRoutes(
            resource.content, of: FilePath(resource.bundle.identity.description), converters: converters)
    }
}

/// The place of the host's own bundle.json.
enum CompositionSource: Sendable {
    /// A file.
    case file(FilePath)
    /// The text that the program contains.
    case text(String)

    /// Returns the bytes of bundle.json.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` or `inputOutput`.
    func content() throws(AtriumError) -> [UInt8] {
        switch self {
        case .file(let path): try InputFile.content(of: path)
        case .text(let text): Array(text.utf8)
        }
    }

    /// The file, or the name that errors have for the text.
    var path: FilePath {
        switch self {
        case .file(let path): path
        case .text: "bundle.json"
        }
    }
}
