import Atrium

let words = CommandLine.arguments
guard words.count == 6 else { fatalError("usage: EmbeddedHost FOLDER PACKAGES TEAM KEY ADDRESS") }
let host = try await Host(
    at: FilePath(words[1]), source: .folder(FilePath(words[2])), trusting: .team(words[3], words[4]))
do {
    try await host.open(words[5])
    for page in host.pages {
        print(page.title)
        for case .text(let text) in page.content { print(text) }
    }
    await host.end()
} catch {
    print(error)
    await host.end(status: 1)
}
