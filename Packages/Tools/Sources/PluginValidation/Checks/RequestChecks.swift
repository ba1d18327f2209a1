import BundleFormat
import HostSystem
import PluginCore
import PluginRuntime

/// The checks of valid requests.
extension CheckRun {
    /// Opens every route.
    func routesAnswer() async throws {
        try require(!manifest.routes.isEmpty, "noRoutes")
        for route in manifest.routes {
            do {
                let request = try await SampleRequest.find(route, in: host)
                add(request.answer, to: request.uri.text)
                if case .page(let page) = request.answer { page.didClose() }
            } catch {
                warn("\(route.pattern): no address matches that can be made from the pattern")
            }
        }
    }

    /// Calls every action.
    func actionsAnswer() async throws {
        try require(!manifest.targets.isEmpty, "noTargets")
        for call in await SampleCall.all(in: host) { add(call.answer, to: call.name) }
    }

    /// Adds an answer: a late one is a fault, an error may be one.
    private func add(_ answer: ValidationHost.Answer, to request: String) {
        switch answer {
        case .page, .value: break
        case .refused(let sentence): warn("\(request): \(sentence)")
        case .late(let sentence): fail("\(request): \(sentence)")
        }
    }
}

/// The check of pages and of their actions. Code that blocks the main actor ends the process, with a result.
extension CheckRun {
    func findHangs() async throws {
        let pages = await SampleRequest.pages(in: host)
        try require(!pages.isEmpty, "noPages")
        for (uri, page) in pages {
            host.begin("draw the page of \(uri.text)")
            host.navigator.keep(page)
            _ = host.texts(of: page)
            let actions = host.watched(page).actions.map(\.description)
            for action in actions {
                if let problem = action.problem { fail("the action \(action.identifier) of \(uri.text): \(problem)") }
                if actions.count(where: { $0.identifier == action.identifier }) > 1 {
                    fail("\(uri.text) has several actions \(action.identifier)")
                }
                do {
                    try await host.perform(action.identifier, input: action.sampleInput, on: page)
                } catch let error as AtriumError where error.code == .deadlineExceeded {
                    fail("the action \(action.identifier) of \(uri.text) did not end within the deadline")
                } catch {
                    // A refusal is an answer.
                }
                _ = host.texts(of: page)
            }
            host.navigator.close()
        }
    }
}

/// The check of the texts on pages.
extension CheckRun {
    /// Draws each page in each language.
    func checkTexts() async throws {
        let tables = try await tables()
        try require(!tables.isEmpty, "noTexts")
        for (language, table) in tables.sorted(by: { $0.key < $1.key }) {
            // The hosts stay in use to the end, because unloading the plugin is the subject of other checks.
            let localized = makeHost(languages: [language])
            for (uri, page) in await SampleRequest.pages(in: localized) {
                localized.begin("draw the page of \(uri.text) in \(language)")
                for text in localized.texts(of: page) where table[text].map({ $0 != text }) ?? false {
                    fail("\(uri.text) shows the key \"\(text)\" in \(language)")
                }
                page.didClose()
            }
            for problem in localized.log.textProblems(of: host.identifier) { fail("in \(language): \(problem)") }
        }
    }

    /// Returns the string tables of the package by language.
    private func tables() async throws -> [String: [String: String]] {
        let resources = try await host.manager.resources(of: host.identifier)
        var tables: [String: [String: String]] = [:]
        for name in try settings.package.files().map(\.name) {
            guard let match = name.wholeMatch(of: /Resources\/((.*)\.lproj\/Localizable\.json)/) else { continue }
            let bytes = try resources.bytes(of: String(match.1))
            tables[String(match.2)] = try StrictJSON.decode([String: String].self, from: bytes)
        }
        return tables
    }
}
