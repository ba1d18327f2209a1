/// The allowed dependencies between modules; a dependency that is not listed is forbidden.
///
/// `<Name>` is the plugin itself, `<Any>` is any plugin, and `(lib)` marks plugins of kind `lib`. `<Name><Extension>` is each of its
/// extensions, and `<Name><Part>` is each module that plugin and extensions share. A plugin may also depend on each library that its
/// manifest requires, but its interface may not. C targets are only for plugins with extensions, where they run in a process apart. A package's tests may depend on its modules and on everything
/// that these may depend on. Unless its entry says otherwise, a package may have its own C targets, such as a system library or a
/// shim, on which no other package may depend.
let layers: [Layer] = [
    Layer("Packages/Core", ["PluginCore": []]),
    Layer(
        "Packages/Router", ["PluginRouter": ["HostSystem", "PluginCore"]],
        // The tests of this package compare what is opened with its explanation.
        testsAlsoKnow: ["Doctor", "PageLayouts"]),
    // The tests of this package write what they read.
    Layer("Packages/Zip", ["Zip": ["HostSystem"]], testsAlsoKnow: ["Authoring", "ZipWriting"]),
    Layer("Packages/SQLite", ["SQLite": []]),
    Layer(
        "Packages/PluginDatabase", ["PluginDatabase": ["PluginCore", "SQLite"]], testsAlsoKnow: ["PluginTestKit"],
        systemIn: [:]),
    Layer(
        "Packages/TUF",
        [
            "HTTPTransfer": [],
            // The library with LibCrypto is that of Signing.
            "Downloads": ["HTTPTransfer", "HostSystem", "LibCrypto", "Signing"],
            "TUFMetadata": ["HostSystem", "LibCrypto", "Signing"],
            "TUF": ["HTTPTransfer", "HostSystem", "TUFMetadata"],
            "TUFRepository": ["HostSystem", "TUFMetadata"],
        ],
        // The tests of this package start two programs, and a web server.
        testsAlsoKnow: ["TestServer", "download-file", "tuf-client"],
        systemIn: ["Downloads": [], "HTTPTransfer": ["CTransfer"], "TUFMetadata": []]),
    Layer("Packages/System", ["HostSystem": ["PluginCore"]], systemIn: ["HostSystem": ["CSystem"]]),
    Layer(
        "Packages/Processes",
        [
            "BundleStorage": ["HostSystem", "PluginCore", "Processes"], "Processes": ["HostSystem", "PluginCore"],
            "CProcesses": ["HostSystem"],
        ],
        systemIn: ["Processes": ["CProcesses"]]),
    Layer(
        "Packages/PluginExtension", ["PluginExtension": ["PluginCore"]], systemIn: ["PluginExtension": []]),
    Layer(
        "Packages/PageLayouts", ["PageLayouts": ["PluginCore"]], testsAlsoKnow: ["PluginTestKit"], systemIn: [:]),
    Layer(
        "Packages/Crypto", ["LibCrypto": [], "Signing": ["LibCrypto", "PluginCore"]],
        systemIn: ["LibCrypto": ["CCrypto"], "Signing": ["CCrypto"]]),
    Layer(
        "Packages/Runtime",
        [
            "BundleFormat": ["HostSystem", "PluginCore", "PluginRouter", "Zip"],
            "Registry": ["BundleFormat", "HostSystem", "PluginCore", "PluginRouter", "SQLite"],
            "PluginRuntime": [
                "BundleFormat", "HostSystem", "PluginCore", "PluginRouter", "Registry", "SQLite", "Zip",
            ],
        ],
        // The tests of this package use the layers beside it, publish catalogs, and start the program of extensions.
        testsAlsoKnow: [
            "Authoring", "BundleStorage", "CatalogFormat", "ConfinementReporting", "CrashReports", "Deltas", "Doctor",
            "ExtensionHost", "ExtensionProcess", "ExtensionProtocol", "ExtensionRunner", "PageLayouts",
            "PluginCatalog", "PluginExtension", "PluginIsolation", "Preflight", "Processes", "RemoteCatalog",
            "Resolver", "Signing", "TUF", "TUFMetadata", "TUFRepository", "Trust", "ZipWriting",
        ],
        systemIn: ["BundleFormat": ["CDigest"]]),
    Layer(
        "Packages/Authoring",
        [
            "Authoring": kernel + ["PluginExtension", "Signing", "Zip", "ZipWriting"],
            "ZipWriting": ["HostSystem", "Zip"],
        ], systemIn: [:]),
    Layer("Packages/Trust", ["Trust": kernel + ["Signing", "Zip"]], systemIn: [:]),
    Layer(
        "Packages/Preflight", ["Preflight": kernel + ["PluginDatabase", "Processes", "Zip"]],
        systemIn: ["Preflight": ["CELF"]]),
    Layer("Packages/Resolver", ["Resolver": kernel], systemIn: [:]),
    Layer(
        "Packages/Catalog",
        [
            "CatalogFormat": kernel + ["TUF", "TUFMetadata"],
            "Deltas": ["HostSystem", "LibCrypto", "Signing", "Zip"],
            "PluginCatalog": kernel + ["CatalogFormat"],
            "RemoteCatalog": kernel + [
                "CatalogFormat", "Deltas", "Downloads", "HTTPTransfer", "PageLayouts", "PluginCatalog", "TUF",
                "TUFMetadata",
            ],
        ], systemIn: ["Deltas": ["CDelta"]]),
    Layer(
        "Packages/Extensions",
        [
            "ConfinementReporting": [],
            "ExtensionProtocol": [
                "ConfinementReporting", "HostSystem", "PluginCore", "PluginExtension", "Processes",
            ],
            "ExtensionProcess": ["ExtensionProtocol", "HostSystem", "PluginCore", "PluginExtension", "Processes"],
            "CrashReports": kernel + ["Processes"],
            "PluginIsolation": kernel + [
                "CrashReports", "ExtensionProcess", "ExtensionProtocol", "PluginExtension", "Processes",
            ],
            "ExtensionHost": kernel + [
                "ConfinementReporting", "ExtensionProcess", "ExtensionProtocol", "PluginExtension", "PluginIsolation",
            ],
            "Confinement": ["ConfinementReporting", "HostSystem", "PluginCore", "Processes"],
            "ExtensionRunner": [
                "BundleStorage", "Confinement", "ConfinementReporting", "ExtensionProtocol", "HostSystem", "PluginCore",
                "PluginExtension", "Processes",
            ],
            "breakout": ["Confinement", "ConfinementReporting", "PluginCore"],
            "BreakoutExtension": ["PluginCore", "PluginExtension"],
        ],
        testsAlsoKnow: ["Authoring", "Preflight", "Resolver", "Signing", "Trust"],
        systemIn: [
            "Confinement": ["CConfinement"], "ConfinementReporting": ["CKernelFeatures"], "breakout": ["CBreakout"],
            "BreakoutExtension": ["CBreakout"],
        ]),
    Layer(
        "Packages/Embedding",
        [
            "Atrium": kernel + [
                "BundleStorage", "PageLayouts", "PluginCatalog", "Preflight", "Processes", "RemoteCatalog", "Resolver",
                "Trust",
            ]
        ], systemIn: [:]),
    Layer("Packages/Diagnosis", ["Doctor": kernel + ["SQLite"]], systemIn: [:]),
    Layer(
        "Packages/Tools",
        [
            "Console": ["HostSystem", "PluginCore", "PluginExtension"],
            "TerminalImages": [],
            "CatalogPublisher": [
                "Authoring", "BundleFormat", "CatalogFormat", "Console", "Deltas", "ExtensionHost", "HostSystem",
                "PluginCore", "PluginRuntime", "Preflight", "RemoteCatalog", "Signing", "TUF", "TUFMetadata",
                "TUFRepository", "Trust", "Zip", "ZipWriting",
            ],
            "PluginLint": [
                "Authoring", "BundleFormat", "CatalogFormat", "Console", "ExtensionHost", "HostSystem", "PageLayouts",
                "PluginCore", "PluginExtension", "PluginRouter", "Preflight", "RemoteCatalog",
            ],
            "PluginValidation": [
                "Authoring", "BundleFormat", "BundleStorage", "Console", "ExtensionHost", "HostSystem", "PageLayouts",
                "PluginCore", "PluginIsolation", "PluginExtension", "PluginRouter", "PluginRuntime", "Preflight",
                "Processes", "Registry", "Resolver", "Signing", "Trust",
            ],
            "BundleTool": [
                "Authoring", "BundleFormat", "CatalogFormat", "CatalogPublisher", "Console", "ExtensionHost",
                "HostSystem", "PageLayouts", "PluginCatalog", "PluginCore", "PluginExtension", "PluginLint",
                "PluginRuntime", "PluginValidation", "Preflight", "Processes", "RemoteCatalog", "Resolver", "Signing",
                "TUF", "TUFMetadata", "Trust", "Zip",
            ],
            "bundletool": ["BundleTool", "Console"],
        ],
        testsAlsoKnow: ["PluginCatalog", "ZipWriting"]),
    Layer(
        "Packages/TestKit",
        [
            "PluginTestKit": [
                "PluginCore", "PluginRouter", "BundleFormat", "BundleStorage", "HostSystem", "Trust", "Registry",
                "PageLayouts", "PluginExtension", "PluginRuntime", "Processes", "Signing", "TUF", "TUFMetadata", "Zip",
                "Authoring",
                "ZipWriting",
                "ExtensionHost", "Testing",
            ]
        ]),
    Layer(
        "HostApp",
        [
            "AppScreens": ["Console", "PluginCore", "TerminalImages"],
            "AppHost": [
                "AppScreens", "PluginCore", "PluginRouter", "ConfinementReporting", "ExtensionHost",
                "PluginIsolation", "HostSystem", "BundleFormat", "BundleStorage", "PluginCatalog", "RemoteCatalog",
                "Trust", "Resolver", "Registry", "PluginRuntime", "Preflight", "CrashReports", "Doctor", "Signing",
                "Console", "Processes", "PageLayouts", "PluginExtension", "TerminalImages",
            ],
            "hostapp": ["AppHost"],
        ],
        // The tests of this module write and sign packages, and publish catalogs.
        testsAlsoKnow: ["Authoring", "Signing", "TUF", "TUFMetadata", "TUFRepository", "Zip", "ZipWriting"]),
    Layer(
        "Plugins/<Name>",
        [
            "<Name>Interface": ["PageLayouts", "PluginCore", "PluginExtension"],
            "<Name>": [
                "PageLayouts", "PluginCore", "PluginDatabase", "PluginExtension", "SQLite", "<Name>Interface",
                "<Name><Part>", "<Any>Interface",
            ],
            "<Name><Extension>": ["PluginCore", "PluginExtension", "SQLite", "<Name>Interface", "<Name><Part>"],
            "<Name><Part>": ["PluginCore", "SQLite"],
        ],
        testsAlsoKnow: ["PluginExtension", "PluginTestKit"], mayHaveC: false),
    Layer(
        "Plugins/<Name> (lib)", ["<Name>": ["PluginCore"]], testsAlsoKnow: ["PluginExtension", "PluginTestKit"],
        mayHaveC: false),

    // These are not part of the product: the end-to-end tests, what tests share, the benchmarks, and the programs of Scripts/fuzz.
    Layer(
        ".",
        [
            "EndToEnd": ["FaultInjection", "PluginTestKit", "PluginCore", "TestServer"],
            "Architecture": [],
            "Assembly": [everything],
            "TestTags": ["Foundation", "Testing"],
            "TestServer": [],
            "FaultInjection": [everything],
            "Faults": ["FaultInjection", "PluginCore", "PluginTestKit"],
            "tuf-client": [everything],
            "download-file": [everything],
            "Bench": [everything],
            "LargePlugin": ["PluginCore"],
            "TrialExtension": ["PluginCore", "PluginExtension"],
            "EmptyFoundation": ["Foundation"],
            "LibraryFuzz": [everything],
            "ProtocolFuzz": [everything, "Foundation"],
            "ZipFuzz": [everything],
        ],
        pullsEverythingIn: true),
]

/// Stands for all modules of the repository, for what measures or tests them.
let everything = "<Any>"

/// The modules of the kernel, on which each layer may depend. A layer depends on no other layer.
private let kernel = [
    "BundleFormat", "HostSystem", "PluginCore", "PluginRouter", "PluginRuntime", "Registry",
]

/// The modules of the toolchain on which every module may depend.
let toolchain: Set = ["Swift", "Glibc", "FoundationEssentials", "Synchronization", "Dispatch"]

/// The C library, by its names.
let cLibraries: Set = ["Glibc"]

/// The modules of the toolchain on which only tests may depend; Foundation would make every start slower.
let toolchainForTests: Set = ["Testing", "Foundation"]

/// The module with the sizes of all tests.
let testTags = "TestTags"

/// The libraries of which a process must contain only one copy; a plugin's own library is also dynamic. Each contains all modules of
/// its package.
let sharedLibraries: Set = [
    "Atrium", "Authoring", "Doctor", "ExtensionHost", "HostSystem", "PageLayouts", "PluginCore", "PluginDatabase",
    "PluginExtension", "PluginRouter", "PluginRuntime", "PluginTestKit", "Preflight", "Processes", "RemoteCatalog",
    "Resolver", "SQLite", "Signing", "TUF", "Trust", "Zip",
]

/// The library of a team's own host. `hostapp` and the tests have its modules in themselves, and no plugin sees it.
let hostLibrary = "AppHost"

/// The plugins and extensions that only benchmarks and tests load.
let measuredPlugins: Set = ["BreakoutExtension", "LargePlugin", "TrialExtension"]
