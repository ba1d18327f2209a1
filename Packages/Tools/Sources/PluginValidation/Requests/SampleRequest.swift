import Console
import PluginCore
import PluginRouter

/// A request that a plugin accepts, or its last answer if there is none.
struct SampleRequest {
    /// The number of attempts to find the parameters of a request.
    fileprivate static let attempts = 16

    let route: RouteDeclaration
    private(set) var uri: ResourceURI
    private(set) var parameters = SampleParameters()
    private(set) var answer = ValidationHost.Answer.noParameters

    /// Tries addresses of a route until the plugin accepts one, or refuses it for a reason that has nothing to do with its parameters.
    ///
    /// - Throws: ``AtriumError`` for a pattern of which no address can be made.
    @MainActor
    static func find(_ route: RouteDeclaration, in host: ValidationHost) async throws -> SampleRequest {
        let pattern = try RoutePattern(route.pattern)
        let first = try host.settings.address(of: pattern) ?? SampleParameters().address(of: pattern)
        var request = Self(route: route, uri: first)
        var suggestions: [String]?
        for _ in 0..<attempts {
            do {
                request.answer = try await host.request(request.uri, as: route.kind)
                return request
            } catch {
                guard let next = request.address(after: error, of: pattern, &suggestions) else {
                    request.answer = .init(error)
                    return request
                }
                request.uri = next
            }
        }
        return request
    }

    /// Returns the address to try after an error; `nil` if the error suggests none.
    private mutating func address(
        after error: any Error, of pattern: RoutePattern, _ suggestions: inout [String]?
    ) -> ResourceURI? {
        guard let error = error as? AtriumError else { return nil }
        if parameters.learn(from: error), let next = try? parameters.address(of: pattern) { return next }
        // A page of something that doesn't exist often names what does.
        suggestions = suggestions ?? error.nearest
        guard error.code == .resourceUnknown, let next = suggestions?.popLast().flatMap({ try? ResourceURI($0) }),
            pattern.captures(from: next) != nil
        else { return nil }
        return next
    }

    /// Returns a request for each route of the plugin, or of one kind, except for those whose pattern has no example.
    @MainActor
    static func all(in host: ValidationHost, of kind: RouteKind? = nil) async -> [SampleRequest] {
        var requests: [SampleRequest] = []
        for route in host.manifest.routes where kind == nil || route.kind == kind {
            if let request = try? await find(route, in: host) { requests.append(request) }
        }
        return requests
    }

    /// Returns the requests that the plugin answers with a page, and their pages.
    @MainActor
    static func pages(in host: ValidationHost) async -> [(uri: ResourceURI, page: any Page)] {
        await all(in: host, of: .page).compactMap { request in
            if case .page(let page) = request.answer { (request.uri, page) } else { nil }
        }
    }
}

/// A call of an action that a plugin accepts, or its last answer if there is none.
struct SampleCall {
    let target: String
    let action: String
    private(set) var parameters = SampleParameters()
    private(set) var answer = ValidationHost.Answer.noParameters

    var name: String { "\(target).\(action)" }

    /// Calls an action until the plugin accepts the parameters, or refuses the call for another reason.
    @MainActor
    static func find(_ action: String, on target: String, in host: ValidationHost) async -> SampleCall {
        var call = Self(target: target, action: action)
        for _ in 0..<SampleRequest.attempts {
            do {
                _ = try await host.call(action, on: target, call.parameters.actionParameters)
                call.answer = .value
                return call
            } catch {
                if let error = error as? AtriumError, call.parameters.learn(from: error) { continue }
                call.answer = .init(error)
                return call
            }
        }
        return call
    }

    /// Returns a call of each action of the plugin.
    @MainActor
    static func all(in host: ValidationHost) async -> [SampleCall] {
        var calls: [SampleCall] = []
        for target in host.manifest.targets {
            for action in target.actions { calls.append(await find(action.name, on: target.name, in: host)) }
        }
        return calls
    }
}

extension ValidationHost.Answer {
    fileprivate static var noParameters: Self { .refused("no valid parameters were found") }

    /// Creates the answer for an error.
    init(_ error: any Error) {
        let isLate = (error as? AtriumError)?.code == .deadlineExceeded
        self = isLate ? .late(error.sentence) : .refused(error.sentence)
    }
}

/// Parameters for a request, which are learned from the errors of a plugin.
///
/// A contract's error names the parameter that is missing or wrong, and the type that it needs, so a few attempts lead to a valid request.
struct SampleParameters {
    /// The texts by name.
    private(set) var values: [String: String] = [:]
    private var seen: Set<String> = []

    /// Takes what an error tells about a parameter.
    ///
    /// - Returns: `false` if it tells nothing new.
    mutating func learn(from error: AtriumError) -> Bool {
        guard [.parameterMissing, .parameterType].contains(error.code), let reason = error.reason else { return false }
        var text = Self.sample(of: "")
        if case .list(let choices) = reason.values["choices"], let choice = choices.first {
            text = choice
        } else if case .text(let type) = reason.values["type"] ?? reason.values["expected"] {
            text = Self.sample(of: type)
        }
        guard seen.insert("\(error.subject)=\(text)").inserted else { return false }
        values[error.subject] = text
        return true
    }

    /// Returns a text that spells a value of a type.
    static func sample(of type: String) -> String {
        // "Optional<Array<Int>>" needs the text of an Int.
        let name = type.split { "<>".contains($0) }.last.map(String.init) ?? type
        return switch name {
        case "Bool": "true"
        case "Double", "Float": "1.5"
        case "String", "Substring": "sample"
        case "UUID": "00000000-0000-0000-0000-000000000000"
        case "URL": "https://example.com/"
        default: "1"
        }
    }

    /// The values as parameters of an action.
    var actionParameters: ActionParameters { ActionParameters(values) }

    /// Returns the address of a route with these values, and with samples for captures that have none.
    ///
    /// - Throws: ``AtriumError`` for a pattern that matches no address that can be made in this way.
    func address(of pattern: RoutePattern) throws -> ResourceURI {
        var parts = AddressParts()
        guard let expansion = pattern.expansions.first else { throw AtriumError(.patternMalformed, pattern.text) }
        for segment in expansion.path + (expansion.fragment ?? []) {
            switch segment {
            case .capture(let name): parts.captures[name] = values[name] ?? "1"
            case .typed(let name, let converter): parts.captures[name] = values[name] ?? converter.example
            case .partial(let partial): for name in partial.names { parts.captures[name] = values[name] ?? "1" }
            case .rest(let name): parts.rest = [values[name] ?? "1"]
            case .any:
                // A wildcard has no value, so only the pattern's own example has a text for it.
                return try ResourceURI("app://" + expansion.example)
            case .literal: break
            }
        }
        let rest = expansion.path.compactMap { if case .rest(let name) = $0 { name } else { nil } }
        parts.query = URIParameters(
            values.keys.sorted().filter { parts.captures[$0] == nil && !rest.contains($0) }.map {
                .init(name: $0, value: values[$0] ?? "")
            })
        return try pattern.address(parts, scheme: "app")
    }
}
