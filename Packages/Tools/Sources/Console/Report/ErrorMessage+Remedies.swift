extension ErrorMessage {
    /// The remedies of some reasons, by their names, which take the place of that of the code.
    static let remedies = [
        "certificateUntrusted":
            "ask the server's owner for the file of its authority, and name it with \"--catalog-ca FILE\" or \"hostapp catalog add --ca FILE\"",
        "confinedLinkUnasked":
            "run the command on a terminal, where you are asked, or copy the link and open it yourself",
        "disabledAfterFailures": "send this message to the extension's author",
        "linkReturned": "choose another program than this app for such links in the settings of your desktop",
        "linkUnasked":
            "run the command on a terminal, or allow it with \"--system-links open\" or \"systemLinks\": \"open\" in bundle.json",
        "memberAbsent":
            "install it with \"hostapp install PACKAGE.zip\", or add a catalog that has it with \"hostapp catalog add\"",
        "metadataExpired":
            "run \"hostapp catalog refresh\"; if it stays expired, ask its owner to run \"bundletool renew\"",
        "metadataIsOther": "check the address of the catalog, and that you are signed in to the network",
        "metadataIsPage": "sign in to the network with a browser; if you are, check the address of the catalog",
        "openerMissing": "install the package xdg-utils, such as with \"apt install xdg-utils\"",
        "otherPlatformPart": "get the whole package, or its part for this host's platform",
        "otherPlatforms":
            "ask the plugin's author for a package that is for this platform, too: \"bundletool pack --library\" takes several",
        "outsideLinkUnasked":
            "run the command on a terminal, where you are asked, or copy the link and open it yourself",
        "rootNotPinned":
            "ask its owner for it; \"hostapp catalog trust ROOT.json\" pins the first root of a new catalog",
        "sandboxForDevelopment": "choose another sandbox with \"--sandbox DIR\", or add \"--development\"",
        "sandboxNotForDevelopment":
            "choose another sandbox with \"--sandbox DIR\", or leave \"--development\" out",
    ]
}
