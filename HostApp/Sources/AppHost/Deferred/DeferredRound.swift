import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// One attempt to open all waiting requests, with the result of each.
@MainActor
final class DeferredRound {
    private let call: HostCall
    private var opened: [JSONText] = []
    /// The requests that failed and were removed.
    private(set) var failed: [(url: String, failure: Failure)] = []
    /// The reasons why requests still wait.
    private(set) var obstacles: [Failure] = []
    private var kept: [String] = []
    /// The error with which standard output failed; the remaining requests then keep waiting.
    private var deafness: OutputError?

    init(_ call: HostCall) {
        self.call = call
    }

    /// Tries all waiting requests in order and reports the result of each.
    func run(in session: Session, _ transcript: Transcript) async throws {
        guard let router = call.router else { return }
        let report = try await router.openDeferred(at: call.deferred.now()) { request in
            try await self.open(request, in: session, transcript)
        } waitingOn: {
            self.mayWait($0)
        }
        if let deafness { throw deafness }
        kept = report.kept.map(\.request.address)
        obstacles = report.kept.map { Failure($0.error) }
        failed = report.dropped.map { ($0.request.address, Failure($0.error)) }
    }

    private func mayWait(_ error: any Error) -> Bool {
        error is OutputError || call.mayOpenLater(error)
    }

    private func open(_ request: DeferredRequest, in session: Session, _ transcript: Transcript) async throws {
        if let deafness { throw deafness }
        do {
            let uri = try ResourceURI(request.address)
            if !call.isJSON {
                try transcript.write(call.terminal.styled("> open \(printable(uri.text))", .cyan) + "\n")
            }
            let router = call.router?.routing(for: request.origin)
            try await transcript.step(nil, in: session) { try await session.open(uri, through: router) }
            opened.append(["url": .string(request.address), "page": session.stack.top.map(PageJSON.render) ?? .null])
        } catch let error as OutputError {
            deafness = error
            throw error
        } catch {
            if !call.isJSON, !transcript.isSilent { Failure(error).note() }
            throw error
        }
    }

    /// Records all requests as still waiting, because none could be tried.
    func keepAll() throws {
        kept = try call.deferred.waiting().map(\.address)
    }

    /// The line about the requests that still wait; empty if there are none.
    var left: String {
        kept.isEmpty
            ? ""
            : kept.count == 1
                ? localized("1 address is still deferred.\n")
                : localized("\(kept.count) addresses are still deferred.\n")
    }

    /// The answer that reports the results.
    var answer: Answer {
        let isNothing = opened.isEmpty && failed.isEmpty && kept.isEmpty
        return Answer(
            text: isNothing ? localized("No deferred addresses.\n") : left,
            json: [
                "opened": .array(opened), "kept": .strings(kept),
                "failed": .array(failed.map { .object([("url", .string($0.url))] + $0.failure.jsonMembers) }),
            ],
            status: kept.isEmpty ? failed.first?.failure.status ?? .done : .tryLater
        )
    }
}
