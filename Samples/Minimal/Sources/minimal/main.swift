import Contract
import Foundation

let usage = """
    usage: minimal [--in FOLDER] COMMAND

      install MANIFEST LIBRARY   installs a version, which is used from now on, also by hosts that run
      open ADDRESS               shows a page, and then reads lines: an empty one draws the page again,
                                 an address opens another page, "back" closes it
      rollback BUNDLE            goes back to the version before
      list                       prints the active versions and what they open

    FOLDER is ./minimal.sandbox by default.
    """

/// Prints a message that is not a result.
func log(_ text: String) {
    FileHandle.standardError.write(Data("minimal: \(text)\n".utf8))
}

/// Shows a page, and then what the user asks for.
@MainActor
func show(_ address: String, _ router: Router) throws {
    var pages = [try router.open(address)]
    var line: String? = ""
    while let text = line {
        do {
            switch text {
            case "": break
            case "back": pages.removeLast().close()
            default: pages.append(try router.open(text))
            }
            guard let page = pages.last else { return }
            print(try page.text())
        } catch {
            log("\(error)")
        }
        // The output may be a file or a pipe, whose reader waits.
        fflush(nil)
        line = readLine()
    }
    while let page = pages.popLast() { page.close() }
}

@MainActor
func run(_ words: [String], in folder: URL) throws {
    let store = try Store(at: folder)
    // Goes back from versions that crashed the hosts before, ahead of anything else.
    let sentinel = try Sentinel(in: store.running)
    for name in sentinel.crashed {
        let active = try store.quarantine(name)
        log("\(name) has crashed; \(active.map { "\($0) is active" } ?? "it is not used any longer")")
    }
    switch words.first {
    case "install" where words.count == 3:
        print("installed \(try store.install(URL(filePath: words[1]), URL(filePath: words[2])))")
    case "open" where words.count == 2:
        try show(words[1], Router(store, sentinel))
    case "rollback" where words.count == 2:
        print("\(try store.rollBack(words[1])) is active")
    case "list" where words.count == 1:
        for bundle in try store.bundles() {
            print(bundle.name, bundle.manifest.routes.joined(separator: " "), separator: "\t")
        }
    default:
        print(usage)
        exit(words.first == "--help" ? 0 : 64)
    }
}

var words = Array(CommandLine.arguments.dropFirst())
var folder = "minimal.sandbox"
if words.count > 1, words[0] == "--in" {
    folder = words[1]
    words.removeFirst(2)
}
do {
    try run(words, in: URL(filePath: folder))
} catch {
    log("\(error)")
    exit(1)
}

// In the product: HostApp. It adds catalogs, screens, documents for scripts, help, languages, checks of a sandbox and their remedies.
