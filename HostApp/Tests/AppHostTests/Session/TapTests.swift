import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("A tap")
struct TapTests {
    private let page = StubPage(
        "Shop",
        actions: [
            PageAction("buy", title: "Buy"),
            PageAction(
                "signIn", title: "Sign in",
                fields: [
                    PageField("name", label: "Name"), PageField("city", label: "City", initial: "Paris"),
                ]
            ),
            PageAction("1", title: "An action that is called like a number"),
        ]
    )

    @Test(
        "means the action of that name, else the one of that number",
        arguments: [("buy", "buy"), ("2", "signIn"), ("1", "1"), ("3", "1"), ("  2", "signIn")]
    )
    func action(text: String, expected: String) throws {
        #expect(try Tap(text).resolve(on: page).action.identifier == expected)
    }

    @Test(
        "fills fields: a value runs to the next field, and a field that is not named keeps its initial value",
        arguments: [
            ("signIn", ["name": "", "city": "Paris"]),
            ("signIn name=Ada", ["name": "Ada", "city": "Paris"]),
            ("signIn name=Ada Lovelace city=London", ["name": "Ada Lovelace", "city": "London"]),
            ("2 city= name=a  b", ["name": "a  b", "city": ""]),
            ("signIn name=a=b other=c", ["name": "a=b other=c", "city": "Paris"]),
            ("signIn name=王小明 二世", ["name": "王小明 二世", "city": "Paris"]),
            ("  signIn   name=Ada", ["name": "Ada", "city": "Paris"]),
            ("buy", [:]),
        ]
    )
    func fields(text: String, expected: [String: String]) throws {
        #expect(try Tap(text).resolve(on: page).input == expected)
    }

    @Test(
        "takes a value in quotation marks as it is, and quotation marks elsewhere as text",
        arguments: [
            (#"signIn name="Ada Lovelace" city=London"#, ["name": "Ada Lovelace", "city": "London"]),
            (#"signIn name="a city=b" city="""#, ["name": "a city=b", "city": ""]),
            (#"signIn name="she said \"hi\" \\ \n""#, ["name": #"she said "hi" \ \n"#, "city": "Paris"]),
            (#"signIn name=she said "hi" city=the "town""#, ["name": #"she said "hi""#, "city": #"the "town""#]),
            (#"signIn name=  "a" "#, ["name": #"  "a" "#, "city": "Paris"]),
        ]
    )
    func quotes(text: String, expected: [String: String]) throws {
        #expect(try Tap(text).resolve(on: page).input == expected)
    }

    @Test(
        "is an error of usage when a quotation mark is not closed, or something stands right behind it",
        arguments: [#"signIn name="Ada city=Paris"#, #"signIn name="Ada"x"#, #"signIn name="Ada\""#])
    func openQuote(text: String) {
        let error = #expect(throws: UsageError.self) { try Tap(text).resolve(on: page) }
        #expect(error?.code == .invalidValue && error?.subject == "name")
    }

    @Test(
        "names the page's actions when there is none of that name or number",
        arguments: ["by", "0", "4", "-1", "99999999999999999999", ""]
    )
    func unknownAction(text: String) {
        let error = #expect(throws: AtriumError.self) { try Tap(text).resolve(on: page) }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.subject == text)
        #expect(error?.nearest == ["buy", "signIn", "1"])
    }

    @Test("says so when the page offers nothing at all")
    func noActions() {
        let error = #expect(throws: AtriumError.self) { try Tap("1").resolve(on: StubPage("Empty")) }
        #expect(error?.detail == "\"Empty\" offers none")
        #expect(error?.nearest == [])
    }

    @Test("shows how the fields are written when a word is none of them", arguments: ["nam=Ada", "Ada", "=Ada"])
    func unknownField(word: String) {
        let error = #expect(throws: AtriumError.self) { try Tap("signIn \(word)").resolve(on: page) }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.detail == "\"\(word)\" is no field of signIn")
        #expect(error?.nearest == ["signIn name=...", "signIn city=..."])
    }
}
