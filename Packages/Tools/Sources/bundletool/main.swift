import BundleTool
import Console

StandardOutput.ignoreBrokenPipes()
let words = Array(CommandLine.arguments.dropFirst())
do {
    let reply = try Program.reply(to: words, on: Terminal(.output))
    try StandardOutput.write(reply.text)
    reply.status.exit()
} catch {
    Program.tell(error, about: words).exit()
}
