import BundleFormat
import Registry
import PluginCore
import PluginRouter
import PluginRuntime
import Resolver
import Synchronization

/// The app of one call, whose bundle.json is read when something first needs it.
final class CallApp: Admission {
    /// The file of bundle.json; `nil` if the program contains its text, or if the app consists of whatever is installed.
    let file: FilePath?
    private let text: String?
    private let converters: RouteConverters
    private let known = Mutex<Result<(bytes: [UInt8], composed: ComposedRoutes), AtriumError>?>(nil)

    /// Creates the app of a bundle.json that the user has named, or else of the one in the program, or else of the file beside it.
    ///
    /// Nothing is read yet.
    init(named: FilePath?, in environment: HostEnvironment) {
        let host = HostConfiguration.current
        converters = host.converters
        text = named == nil ? host.composition : nil
        file = text == nil ? named ?? environment.composition : nil
    }

    /// A Boolean value that indicates whether there is a bundle.json.
    var isComposed: Bool { file != nil || text != nil }

    /// Returns the host's own bundle.json, which is read once, with its bytes.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, `fileUnknown` or `inputOutput`.
    func own() throws(AtriumError) -> (bytes: [UInt8], composed: ComposedRoutes) {
        try known.withLock { known in
            let result = known ?? Result { () throws(AtriumError) in try read() }
            known = result
            return result
        }.get()
    }

    private func read() throws(AtriumError) -> (bytes: [UInt8], composed: ComposedRoutes) {
        guard isComposed else { return ([], .none) }
        let bytes = try file.map(InputFile.content) ?? Array((text ?? "").utf8)
        return (bytes, try ComposedRoutes(bytes, of: file ?? "bundle.json", converters: converters))
    }

    /// Returns the bundles of the app with the versions that it allows.
    func members() throws(AtriumError) -> [AppMember] { try own().composed.appMembers }

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
        guard try own().composed.bundle == manifest.identifier else { return }
        let composition: ComposedRoutes
        do {
            composition = try ComposedRoutes(
                contentsOf: folder.appending("Resources/bundle.json"), converters: converters)
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
                "memberNotRequired", ["bundle": .text(member.identifier), "range": "\(member.versions ?? .any)"])
        }
        if !problems.isEmpty { throw Self.unusable(manifest, problems) }
    }

    private static func unusable(_ manifest: Manifest, _ problems: [ErrorReason]) -> AtriumError {
        AtriumError(
            .packageInvalid, manifest.identity.description, reason: ErrorReason("compositionUnusable"),
            problems: problems)
    }

    /// Returns the bundle.json that applies: that of the installed bundle that the host's own names, or else the host's own.
    ///
    /// An installed one that cannot be used is an error. With the host's own in its place, the app would lose the guards of the newer one.
    ///
    /// - Throws: as ``own()``, and ``AtriumError`` with code `sealBroken` and others if the installed one must not be used.
    func composition(in manager: Host) throws(AtriumError) -> ComposedRoutes {
        let own = try own().composed
        guard let bundle = own.bundle, let resource = try manager.resource("bundle.json", of: bundle) else {
            return own
        }
        return try ComposedRoutes(
            resource.content, of: FilePath(resource.bundle.identity.description), converters: converters)
    }
}
