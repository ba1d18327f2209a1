import BundleTool
import Console

StandardOutput.ignoreBrokenPipes()
let words = Array(CommandLine.arguments.dropFirst())
do {
    try StandardOutput.write(try Program.answer(to: words, on: Terminal(.output)))
} catch {
    let (report, status) = FailureReport.of(error)
    if Program.wantsJSON(words) {
        _ = try? StandardOutput.write(report.json.text() + "\n")
    } else {
        StandardOutput.note(report.text(for: Terminal(.error)))
    }
    status.exit()
}
