/// Calls actions of other bundles by name. The bundle behind the target is found by its manifest and loaded when the
/// first call needs it.
///
/// Callers use the typed facades that a plugin's Interface target puts on this protocol:
///
/// ```swift
/// extension Mediating {
///     public func isSignedIn() async throws -> Bool {
///         try await perform("isSignedIn", on: "Account", returning: Bool.self)
///     }
/// }
/// ```
public protocol Mediating: Sendable {
    /// Performs an action.
    ///
    /// - Returns: what the action returned; `()` for an action without a result.
    /// - Throws: ``AtriumError`` with code `targetUnknown` or `actionUnknown` (nearest names included), whatever loading
    ///   the bundle throws, and whatever the action throws. Never nothing for a call that did not happen.
    @discardableResult
    func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable

    /// Performs the action that an address names, as a call from afar: `app://Target/action?x=y`.
    ///
    /// - Parameters:
    ///   - uri: the target as authority, the action behind it, and texts as parameters.
    ///   - parameters: values that have no place in an address; none replaces what the address says.
    /// - Throws: as ``perform(_:on:_:)``, and `exposureDenied`, `requestTooLarge`, or `uriMalformed` when the address is not
    ///   of that form.
    @discardableResult
    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable

    /// Forgets a target that has been looked up, until the next call needs it. Its bundle stays as it is.
    func releaseTarget(named name: String)
}

extension Mediating {
    /// Performs an action without parameters.
    @discardableResult
    public func perform(_ action: String, on target: String) async throws -> any Sendable {
        try await perform(action, on: target, [:])
    }

    /// Performs an action and takes its result as an `R`.
    ///
    /// - Throws: what ``perform(_:on:_:)`` throws, and ``AtriumError`` with code `resultType` when the result is no `R`.
    public func perform<R>(
        _ action: String, on target: String, _ parameters: ActionParameters = [:], returning type: R.Type
    ) async throws -> R {
        let result = try await perform(action, on: target, parameters)
        guard let typed = result as? R else {
            throw AtriumError(
                .resultType, "\(target).\(action)",
                detail: "\(R.self) is needed, not \(Swift.type(of: result))"
                    + AtriumError.settings(R.self, Swift.type(of: result))
            )
        }
        return typed
    }
}
