import PluginCore

/// The check of pages and of their actions. Code that blocks the main actor ends the process, with a result.
@MainActor
enum HangCheck {
    static func run(_ run: CheckRun, _ host: ValidationHost) async throws {
        let pages = await SampleRequest.pages(in: host)
        guard !pages.isEmpty else { throw CheckSkipped.noPages }
        for (uri, page) in pages {
            host.begin("draw the page of \(uri.text)")
            host.navigator.keep(page)
            _ = host.texts(of: page)
            for action in host.watched(page).actions {
                do {
                    try await host.perform(action.identifier, input: action.initialInput, on: page)
                } catch let error as AtriumError where error.code == .deadlineExceeded {
                    run.fail("the action \(action.identifier) of \(uri.text) did not end within the deadline")
                } catch {
                    // A refusal is an answer.
                }
                _ = host.texts(of: page)
            }
            host.navigator.close()
        }
    }
}
