import Console
import PluginCore
import Timelines

/// The `hostapp timeline` command.
let timelineCommand = HostCommand(
    description: Command(
        "timeline", summary: "Show a trace as a web page.",
        discussion: """
            Draws the times that "hostapp --trace FILE COMMAND" has written: a timeline to zoom, with a lane for each \
            chain of requests, the time by category, and the longest intervals. The page is one file, which needs no \
            network. --json prints the times by category instead.
            """,
        arguments: [.required("FILE", help: "The trace.")],
        options: [
            .value(
                "output", short: "o", placeholder: "FILE.html", help: "Write it to a file instead of standard output.")
        ],
        examples: [
            Command.Example("hostapp --trace trace.json open app://shop"),
            Command.Example("hostapp timeline trace.json --output trace.html"),
        ]
    )
) { call in
    let file = call.parsed.argument("FILE") ?? ""
    let path = try call.resolve(file)
    let trace = try Trace(document: InputFile.content(of: path), named: file)
    let summary = TraceSummary(trace)
    let json: JSONText = [
        "events": .integer(trace.events.count), "total": .number(summary.total),
        "categories": .array(
            summary.categories.map {
                [
                    "name": .string($0.name), "count": .integer($0.count), "busy": .number($0.busy),
                    "longest": .number($0.longest),
                ]
            }),
    ]
    let html = TimelinePage(trace, named: path.lastComponent).html
    guard let output = call.parsed.value("output") else { return Answer(text: html, json: json) }
    let target = try call.resolve(output)
    try NamedFile.write(html, to: target)
    return Answer(text: "\(printable(target.string))\n", json: json)
}
