import BundleTool
import Console

StandardOutput.prepareProcess()
let arguments = ProgramArguments.current
let words = arguments.words
if let text = Program.answerToScript(words) {
    _ = try? StandardOutput.write(text)
    ExitStatus.done.exit()
}
await HelperProcess(words)?.give()
do {
    if let error = arguments.error { throw error }
    let reply = try Program.reply(to: words, on: Terminal(.output))
    StandardOutput.note(reply.note)
    try StandardOutput.write(reply.text)
    end(reply.status)
} catch {
    end(Program.tell(error, about: words))
}

func end(_ status: ExitStatus) -> Never {
    if let note = Localization.note { StandardOutput.note(note) }
    status.exit()
}
