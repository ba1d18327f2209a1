internal import PluginCore

/// The page that asks for a name; a presented page is dismissed with `true` after the sign-in.
final class SignInPage: Page {
    private let bundle: AccountBundle

    init(_ bundle: AccountBundle) { self.bundle = bundle }

    var title: String { bundle.texts.signInTitle }

    var content: [PageElement] { [.text(bundle.texts.signInExplanation)] }

    private struct Form: Codable { var name = "" }

    var actions: [PageAction] {
        let name = PageField(
            "name", label: bundle.texts.signInName, isRequired: true, message: bundle.texts.signInEmptyName)
        PageAction("signIn", title: bundle.texts.signInSignIn, input: Form(), fields: [name]) { form, navigator in
            let name = form.name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            try bundle.sessions.signIn(name)
            navigator.show(notice: bundle.texts.signInDone(name))
            // A page does not know whether it was presented or pushed; dismissing has no effect if nothing is presented.
            navigator.dismiss(returning: true)
            if navigator.pages.last === self { navigator.pop() }
        }
    }
}
