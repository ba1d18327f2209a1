import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// What becomes of the requests that waited, tried one after the other.
@MainActor
final class DeferredRound {
    private let call: HostCall
    private var opened: [JSONText] = []
    private var failed: [(url: String, failure: Failure)] = []
    private var kept: [String] = []

    init(_ call: HostCall) {
        self.call = call
    }

    /// Opens one for whom it was kept, and tells what came of it.
    ///
    /// - Returns: whether it has to wait on.
    func open(_ request: DeferredRequest, in session: Session, _ transcript: Transcript) async throws -> Bool {
        do {
            let uri = try ResourceURI(request.address)
            if !call.isJSON {
                try transcript.write(call.terminal.styled("> open \(printable(uri.text))", .cyan) + "\n")
            }
            let router = call.router?.routing(for: request.origin)
            try await transcript.step(nil, in: session) { try await session.open(uri, through: router) }
            opened.append(["url": .string(request.address), "page": session.stack.top.map(PageJSON.render) ?? .null])
            return false
        } catch let error as OutputError {
            throw error
        } catch {
            let failure = Failure(error)
            if !call.isJSON { failure.note() }
            guard call.mayOpenLater(error) else {
                failed.append((request.address, failure))
                return false
            }
            kept.append(request.address)
            return true
        }
    }

    /// Takes note that nothing could be tried.
    func keepAll() {
        kept = call.deferred.waiting().map(\.address)
    }

    /// What to say of it.
    var answer: Answer {
        let isNothing = opened.isEmpty && failed.isEmpty && kept.isEmpty
        let left = kept.isEmpty ? "" : "\(kept.count) \(kept.count == 1 ? "goes" : "go") on waiting.\n"
        return Answer(
            text: isNothing ? "Nothing waits.\n" : left,
            json: [
                "opened": .array(opened), "kept": .strings(kept),
                "failed": .array(failed.map { .object([("url", .string($0.url))] + $0.failure.jsonMembers) }),
            ],
            status: kept.isEmpty ? failed.first?.failure.status ?? .done : .tryLater
        )
    }
}
