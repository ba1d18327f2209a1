import BundleTool
import Console

StandardOutput.ignoreBrokenPipes()
let words = Array(CommandLine.arguments.dropFirst())
do {
    try StandardOutput.write(try Program.answer(to: words, on: Terminal(.output)))
} catch {
    Program.tell(error, about: words).exit()
}
