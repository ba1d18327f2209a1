import HostSystem
import Testing
import TUFMetadata

@Suite("Signed payloads", .tags(.small))
struct PayloadTests {
    /// The beginning of a role's content, in canonical form.
    private static let content =
        #""_type":"targets","expires":"2033-05-18T03:33:20Z","spec_version":"1.0.34","targets":{},"version":1"#

    @Test(
        "are the canonical form of the content, however the file writes it",
        arguments: [
            // In canonical form.
            "{\(content)}",
            #"{"Z":{},"\\":["\"",-1,0,true,null,[]],\#(content),"é":"\#u{7F}"}"#,
            // In other forms.
            "{ \(content)}", "{\(content) }", "{\(content),\"x\" :1}", "{\(content),\"x\": 1}",
            "{\(content),\"x\":[1, 2]}",
            "{\(content),\n\"x\":1}", #"{"x":1,\#(content)}"#, #"{\#(content),"x":{"b":1,"a":2}}"#,
            #"{\#(content),"x":-0}"#, #"{\#(content),"x":"\/"}"#, #"{\#(content),"x":"\u0041"}"#,
            #"{\#(content),"x":"\n"}"#, #"{\#(content),"\u0078":1}"#, #"{\#(content),"x":"\ud83d\ude00"}"#,
        ],
        [
            "{\"signatures\":[],\"signed\":%}", " { \"signed\" : % , \"signatures\" : [ ] } ",
            "{\"signed\":%,\"signatures\":[]}",
        ])
    func form(_ content: String, _ file: String) throws {
        let bytes = Array(file.split(separator: "%").joined(separator: content).utf8)
        let payload = try SignedMetadata<Targets>(bytes).payload
        #expect(payload == (try JSONValue(parsing: Array(content.utf8)).canonical))
    }
}
