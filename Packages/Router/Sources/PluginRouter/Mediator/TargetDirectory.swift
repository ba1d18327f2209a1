public import PluginCore

/// Where the targets of manifests are kept.
public protocol TargetDirectory: Sendable {
    /// What the manifests declare of a target, or `nil`.
    func target(named name: String) async throws -> TargetListing?

    /// All target names, for telling what an unknown one may have meant.
    func targets() async throws -> [String]
}

/// A target as a manifest declares it, and whose manifest it is.
public struct TargetListing: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The identifier of the bundle that declares it.
    public let owner: String
    /// Its actions.
    public let actions: [ActionDeclaration]

    /// Lists a target.
    public init(_ declaration: TargetDeclaration, owner: String) {
        name = declaration.name
        self.owner = owner
        actions = declaration.actions
    }

    /// Who may call an action. What is not declared is for plugins at most, whatever the target registers or answers to.
    func exposure(of action: String) -> Exposure {
        actions.first { $0.name == action }?.exposure ?? .plugins
    }

    /// Throws unless whoever asks may call an action; asked before any code is loaded.
    ///
    /// - Throws: ``AtriumError`` with code `exposureDenied`.
    func admit(_ origin: RequestOrigin, to action: String) throws(AtriumError) {
        let exposure = exposure(of: action)
        guard !exposure.admits(origin, owner: owner) else { return }
        throw .exposureDenied("\(name).\(action)", exposure, to: origin)
    }
}

extension AtriumError {
    /// The refusal of something that is not for whoever asks.
    static func exposureDenied(_ subject: String, _ exposure: Exposure, to origin: RequestOrigin) -> AtriumError {
        AtriumError(.exposureDenied, subject, detail: "its exposure is \(exposure.rawValue), and the \(origin) asks")
    }
}
