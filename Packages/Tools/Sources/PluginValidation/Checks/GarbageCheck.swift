import PluginCore
import PluginRouter

/// The check of random requests, which depend only on the seed.
@MainActor
enum GarbageCheck {
    /// The number of random requests for each route, action, and action of a page.
    private static let rounds = 50

    /// Sends random requests. A crash or a hang ends the process, so only late answers are noticed here.
    static func run(_ run: CheckRun, _ host: ValidationHost) async throws {
        var garbage = Garbage(seed: run.settings.seed)
        let requests = await SampleRequest.all(in: host)
        let calls = await SampleCall.all(in: host)
        guard !requests.isEmpty || !calls.isEmpty else {
            throw CheckSkipped(reason: "the plugin has neither routes nor targets")
        }
        for request in requests {
            try await open(request, with: &garbage, run, host)
            guard case .page(let page) = request.answer else { continue }
            try await perform(on: page, with: &garbage, run, host)
            page.didClose()
        }
        for call in calls where !call.answer.isLate {
            for _ in 0..<rounds {
                let parameters = garbage.parameters(like: call.parameters.values) { $0.value() }
                await run.notice(call.name) { _ = try await host.call(call.action, on: call.target, parameters) }
            }
        }
    }

    private static func open(
        _ request: SampleRequest, with garbage: inout Garbage, _ run: CheckRun, _ host: ValidationHost
    ) async throws {
        guard !request.answer.isLate else { return }
        let fixed = try fixedSegments(of: RoutePattern(request.route.pattern))
        for _ in 0..<rounds {
            let text = garbage.address(like: request.uri, keeping: fixed)
            let userInfo = garbage.parameters(like: request.parameters.values) { $0.value() }
            // Most malformed addresses end here, before they reach the plugin.
            guard let uri = try? ResourceURI(text) else { continue }
            await run.notice(text) {
                guard case .page(let page) = try await host.request(uri, as: request.route.kind, userInfo: userInfo)
                else { return }
                _ = host.texts(of: page)
                page.didClose()
            }
        }
    }

    private static func perform(
        on page: any Page, with garbage: inout Garbage, _ run: CheckRun, _ host: ValidationHost
    ) async throws {
        let actions = host.watched(page).actions
        guard !actions.isEmpty else { return }
        for action in actions {
            for round in 0..<rounds {
                var input: [String: String] = [:]
                for field in action.fields where round > 0 { input[field.name] = garbage.text() }
                if round == 1 { input = [garbage.text(): garbage.text()] }
                // Without fields there is no garbage, and the valid action is the subject of another check.
                guard !action.fields.isEmpty || round == 1 else { continue }
                await run.notice("the page action \(action.identifier)") {
                    try await host.perform(action.identifier, input: input, on: page)
                }
            }
        }
        let unknown = garbage.text()
        await run.notice("an unknown page action") { try await host.perform(unknown, input: [:], on: page) }
    }

    /// Returns the positions of the segments by which an address leads to the route.
    private static func fixedSegments(of pattern: RoutePattern) -> Set<Int> {
        let path = pattern.expansions.first?.path ?? []
        return Set(path.indices.filter { if case .literal = path[$0] { true } else { false } })
    }
}

extension ValidationHost.Answer {
    /// A Boolean value that indicates whether there was no answer, so that further requests would only cost time.
    var isLate: Bool { if case .late = self { true } else { false } }
}

extension CheckRun {
    /// Runs a request, and adds a fault if there is no answer within the deadline. Any error is an answer.
    fileprivate func notice(_ request: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch let error as AtriumError where error.code == .deadlineExceeded {
            fail("\(CheckProgress.plain(request)) was not answered within the deadline")
        } catch {
            // A refusal is what garbage deserves.
        }
    }
}
