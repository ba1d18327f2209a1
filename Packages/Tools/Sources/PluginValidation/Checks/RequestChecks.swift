import PluginCore

/// The checks of valid requests.
@MainActor
enum RequestChecks {
    /// Opens every route.
    static func routesAnswer(_ run: CheckRun, _ host: ValidationHost) async throws {
        guard !run.manifest.routes.isEmpty else { throw CheckSkipped(reason: "the plugin has no routes") }
        for route in run.manifest.routes {
            do {
                let request = try await SampleRequest.find(route, in: host)
                run.add(request.answer, to: request.uri.text)
                if case .page(let page) = request.answer { page.didClose() }
            } catch {
                run.warn("\(route.pattern): no address matches that can be made from the pattern")
            }
        }
    }

    /// Calls every action.
    static func actionsAnswer(_ run: CheckRun, _ host: ValidationHost) async throws {
        guard !run.manifest.targets.isEmpty else { throw CheckSkipped(reason: "the plugin has no targets") }
        for call in await SampleCall.all(in: host) { run.add(call.answer, to: call.name) }
    }
}

extension CheckRun {
    /// Adds an answer: a late one is a fault, an error may be one.
    fileprivate func add(_ answer: ValidationHost.Answer, to request: String) {
        switch answer {
        case .page, .value: break
        case .refused(let sentence): warn("\(request): \(sentence)")
        case .late(let sentence): fail("\(request): \(sentence)")
        }
    }
}
