/// The list of all figures, which the published table contains in the same order.
extension Figure {
    static let coldOpen = Figure(
        "cold `hostapp open` of an installed page, process start to exit",
        beside: "an empty Swift program that links Foundation", atMost: 2)
    static let coldOpenAmongMany = Figure(
        "the same with 10,000 installed bundles", beside: "with 10", atMost: 1.05)
    static let load = Figure(
        "loading a plugin, from its manifest in the registry to its principal object",
        beside: "`dlopen` and `dlsym` of the same library in C", atMost: 1.3)
    static let verifiedLoad = Figure(
        "verifying and loading a plugin of 1 MB", beside: "the same less the time of the verifying alone", atMost: 1.3)
    static let loadBesideC = Figure(
        "verifying and loading a plugin of 1 MB", beside: "`dlopen`, `dlsym` and call in C")
    static let largeInstall = Figure(
        "installing a package of 100 MB: verify, unpack, hash, sync, register", beside: "`unzip -q` and `sync`",
        atMost: 1)
    static let installMemory = Figure("the most memory of it", beside: "64 MiB", atMost: 1, unit: .bytes)
    static let largeUpdate = Figure("updating one file of 1 MB in it", beside: "the install")
    static let updateBlocks = Figure("what that takes on the disk", beside: "the files that differ", unit: .bytes)
    static let smallInstall = Figure(
        "installing a small bundle, the last 100 of 1,000", beside: "the first 100 of another sandbox, in turns",
        atMost: 1.2)
    static let match = Figure(
        "from an address's text to its route and captures, 130 routes", beside: "matchit in Rust",
        needsMatchit: true)
    static let matchBesideLoop = Figure(
        "from an address's text to its route and captures, 130 routes", beside: "a dictionary and a loop", atMost: 1)
    static let mediatorCall = Figure(
        "a mediator call to a loaded target", beside: "a closure out of a dictionary", atMost: 3)
    static let extensionStart = Figure(
        "cold start of an extension, from the request to its first reply",
        beside: "an empty Swift program that links Foundation", atMost: 3)
    static let extensionExchange = Figure(
        "a request of 1 KiB to a warm extension, and its reply", beside: "two C processes that exchange 1 KiB",
        atMost: 3)
    static let attachment = Figure(
        "a request with an attachment of 100 MB", beside: "with one of 1 kB", atMost: 1.2)
    static let attachmentMemory = Figure(
        "the growth of the host's most memory by 500 of them", beside: "one attachment", atMost: 0.1, unit: .bytes)
    static let binaryBuild = Figure(
        "a clean build of Shop that links the SDK's libraries", beside: "one that builds everything from source",
        atMost: 0.2, isSlow: true)
    static let liveChange = Figure(
        "from saving a file to the new page, by `bundletool run --watch`",
        beside: "an incremental `swift build` of the same change", atMost: 1.3, isSlow: true)

    static let refreshBytes = Figure(
        "bytes received by a refresh with nothing new, 100,000 packages in the catalog", beside: "64 KiB", atMost: 1,
        unit: .bytes)
    static let refresh = Figure(
        "the time of it: `hostapp catalog refresh`, process start to exit", beside: "curl, with the same requests",
        atMost: 3)
    static let coldOpenBesideWeb = Figure(
        "cold `hostapp open` of an installed page with a catalog on a web server", beside: "without one", atMost: 1.05)
    static let largeDownload = Figure(
        "downloading 500 MB from loopback: receive, hash, sync", beside: "`curl -o` and `sha256sum`", atMost: 1.3)

    static let screenRedraw = Figure(
        "from a key to the redrawn screen, 60 rows and 1,000 tiles, 99th percentile", beside: "a frame of 16 ms",
        atMost: 1)
    static let firstScreen = Figure(
        "the first screen of `hostapp`, from process start", beside: "`hostapp open` of the same page", atMost: 1.5)
    static let screenMemory = Figure(
        "the memory that an idle host on a terminal has to itself, less what it could read again from files",
        beside: "`vim`", atMost: 2, unit: .bytes)

    static let all = [
        coldOpen, coldOpenAmongMany, load, verifiedLoad, loadBesideC,
        largeInstall, installMemory, largeUpdate, updateBlocks, smallInstall, match, matchBesideLoop,
        mediatorCall, extensionStart, extensionExchange, attachment, attachmentMemory, refreshBytes, refresh,
        coldOpenBesideWeb, largeDownload, binaryBuild, liveChange,
        screenRedraw, firstScreen, screenMemory,
    ]
}
