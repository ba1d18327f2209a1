import Console
import PluginCore
import PluginRouter

/// A request that a plugin accepts, or its last answer if there is none.
struct SampleRequest {
    /// The number of attempts to find the parameters of a request.
    private static let attempts = 16

    let route: RouteDeclaration
    let uri: ResourceURI
    let parameters: SampleParameters
    let answer: ValidationHost.Answer

    /// Tries addresses of a route until the plugin accepts one, or refuses it for a reason that has nothing to do with its parameters.
    ///
    /// - Throws: ``AtriumError`` for a pattern of which no address can be made.
    @MainActor
    static func find(_ route: RouteDeclaration, in host: ValidationHost) async throws -> SampleRequest {
        let pattern = try RoutePattern(route.pattern)
        var parameters = SampleParameters()
        var uri = try host.knownAddress(of: pattern) ?? parameters.address(of: pattern)
        var suggestions: [String]?
        for _ in 0..<attempts {
            do {
                let answer = try await host.request(uri, as: route.kind)
                return SampleRequest(route: route, uri: uri, parameters: parameters, answer: answer)
            } catch let error as AtriumError {
                if parameters.learn(from: error), let next = try? parameters.address(of: pattern) {
                    uri = next
                    continue
                }
                // A page of something that doesn't exist often names what does.
                suggestions = suggestions ?? error.nearest
                if error.code == .resourceUnknown, let next = suggestions?.popLast().flatMap({ try? ResourceURI($0) }),
                    pattern.captures(from: next) != nil
                {
                    uri = next
                    continue
                }
                return SampleRequest(route: route, uri: uri, parameters: parameters, answer: .init(error))
            } catch {
                return SampleRequest(route: route, uri: uri, parameters: parameters, answer: .init(error))
            }
        }
        return SampleRequest(
            route: route, uri: uri, parameters: parameters, answer: .refused("no valid parameters were found"))
    }

    /// Returns a request for each route of the plugin, except for those whose pattern has no example.
    @MainActor
    static func all(in host: ValidationHost) async -> [SampleRequest] {
        var requests: [SampleRequest] = []
        for route in host.manifest.routes {
            if let request = try? await find(route, in: host) { requests.append(request) }
        }
        return requests
    }

    /// Returns the requests that the plugin answers with a page, and their pages.
    @MainActor
    static func pages(in host: ValidationHost) async -> [(uri: ResourceURI, page: any Page)] {
        var pages: [(ResourceURI, any Page)] = []
        for route in host.manifest.routes where route.kind == .page {
            guard let request = try? await find(route, in: host), case .page(let page) = request.answer else {
                continue
            }
            pages.append((request.uri, page))
        }
        return pages
    }
}

/// A call of an action that a plugin accepts, or its last answer if there is none.
struct SampleCall {
    private static let attempts = 16

    let target: String
    let action: String
    let parameters: SampleParameters
    let answer: ValidationHost.Answer

    var name: String { "\(target).\(action)" }

    /// Calls an action until the plugin accepts the parameters, or refuses the call for another reason.
    @MainActor
    static func find(_ action: String, on target: String, in host: ValidationHost) async -> SampleCall {
        var parameters = SampleParameters()
        for _ in 0..<attempts {
            do {
                _ = try await host.call(action, on: target, parameters.actionParameters)
                return SampleCall(target: target, action: action, parameters: parameters, answer: .value)
            } catch {
                if let error = error as? AtriumError, parameters.learn(from: error) { continue }
                return SampleCall(target: target, action: action, parameters: parameters, answer: .init(error))
            }
        }
        return SampleCall(
            target: target, action: action, parameters: parameters, answer: .refused("no valid parameters were found"))
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
    /// Creates the answer for an error.
    init(_ error: any Error) {
        let sentence = FailureReport.of(error).report.message
        self = (error as? AtriumError)?.code == .deadlineExceeded ? .late(sentence) : .refused(sentence)
    }
}
