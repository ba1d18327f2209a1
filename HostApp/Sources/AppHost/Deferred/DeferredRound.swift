import Console
import PluginCore
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

    /// Opens one, and tells what came of it.
    func open(
        _ record: DeferredRecord, in session: Session, _ transcript: Transcript
    ) async throws -> DeferredRequests.Attempt {
        do {
            let uri = try ResourceURI(record.url)
            if !call.isJSON {
                try transcript.write(call.terminal.styled("> open \(printable(uri.text))", .cyan) + "\n")
            }
            try await transcript.step(nil, in: session) { try await session.open(uri) }
            opened.append(["url": .string(record.url), "page": session.stack.top.map(PageJSON.render) ?? .null])
            return .over
        } catch let error as OutputError {
            throw error
        } catch {
            let failure = Failure(error)
            if !call.isJSON { failure.note() }
            guard let reason = call.reasonToWait(error) else {
                failed.append((record.url, failure))
                return .over
            }
            kept.append(record.url)
            return .notReady(reason)
        }
    }

    /// Takes note that nothing could be tried.
    func keepAll() {
        kept = call.deferred.waiting().map(\.url)
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
