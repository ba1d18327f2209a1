/// Who may know whom: section 1 of the design as data. An arrow that is not here is not allowed.
///
/// `<Name>` is the plugin itself, `<Any>` any plugin; `(lib)` is for the plugins of kind `lib`. A plugin may also know each library
/// that its manifest requires, and its Interface none. A package's tests know its modules and all that those know.
/// Unless its line says otherwise, a package may have C targets of its own (a library of the system, a shim), which
/// nobody else may know.
let rooms: [Room] = [
    Room("Packages/Core", ["PluginCore": []]),
    Room("Packages/Router", ["PluginRouter": ["PluginCore"]]),
    Room("Packages/Zip", ["Zip": []]),
    Room("Packages/SQLite", ["SQLite": []]),
    Room("Packages/TUF", ["TUF": []]),
    Room(
        "Packages/Runtime",
        [
            "Signing": [],
            "PluginRuntime": ["PluginCore", "PluginRouter", "Signing", "Zip", "SQLite", "TUF"],
        ]),
    Room(
        "Packages/Tools",
        [
            "Console": ["PluginCore"],
            "BundleTool": ["Console", "PluginCore", "PluginRuntime", "Signing", "Zip"],
            "bundletool": ["BundleTool", "Console", "PluginCore", "PluginRuntime", "Signing", "Zip"],
        ]),
    Room(
        "Packages/TestKit",
        ["PluginTestKit": ["PluginCore", "PluginRouter", "PluginRuntime", "Signing", "Zip", "Testing"]]),
    Room(
        "HostApp",
        [
            "AppHost": ["PluginCore", "PluginRouter", "PluginRuntime", "Signing", "Console"],
            "hostapp": ["AppHost", "PluginCore", "PluginRouter", "PluginRuntime", "Signing", "Console"],
        ],
        // Its tests write packages and sign them.
        testsAlsoKnow: ["Signing", "Zip"]),
    Room(
        "Plugins/<Name>",
        [
            "<Name>Interface": ["PluginCore"],
            "<Name>": ["PluginCore", "SQLite", "<Name>Interface", "<Any>Interface"],
        ],
        testsAlsoKnow: ["PluginTestKit"], mayHaveC: false),
    Room(
        "Plugins/<Name> (lib)", ["<Name>": ["PluginCore"]], testsAlsoKnow: ["PluginTestKit"], mayHaveC: false),

    // No product: the workspace, which pulls every package in, the benchmarks, and the fuzzers.
    Room(
        ".",
        [
            "EndToEnd": ["PluginTestKit", "PluginCore"],
            "Architecture": [],
        ],
        pullsEverythingIn: true, mayHaveC: false),
    Room(
        "Scripts/benchmarks",
        [
            "Bench": ["PluginCore", "PluginRouter", "PluginRuntime", "Signing", "SQLite", "Zip"],
            "LargePlugin": ["PluginCore"],
            "EmptyFoundation": ["Foundation"],
        ]),
    // The harness of Scripts/faults.
    Room("Scripts/faulting", ["Faults": ["PluginCore", "PluginTestKit"]]),
    // Built with a sanitizer by Scripts/fuzz only.
    Room("Scripts/fuzzing", ["ZipFuzz": ["Zip"], "LibraryFuzz": ["PluginRuntime"]]),
]

/// What comes with the toolchain and everybody may know.
let toolchain: Set = ["Swift", "Glibc", "Darwin", "FoundationEssentials", "Synchronization", "Dispatch"]

/// What comes with the toolchain and only tests may know.
let toolchainForTests: Set = ["Testing", "Foundation"]

/// The libraries of which a process must hold one copy; a plugin's own is the third kind that is dynamic.
let sharedLibraries: Set = ["PluginCore", "SQLite"]

/// The plugins that only the benchmarks load.
let measuredPlugins: Set = ["LargePlugin"]
