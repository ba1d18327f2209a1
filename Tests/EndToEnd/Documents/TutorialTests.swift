import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The tutorials of the documentation site", .tags(.large), .timeLimit(.minutes(10)))
struct TutorialTests {
    private static let folder = "Documentation/Atrium.docc"

    @Test(
        "A reader who follows a tutorial gets what it shows",
        arguments: ["YourFirstPlugin", "CallingAnotherPlugin", "AWidget"])
    func follow(page: String) async throws {
        let walkthrough = try Walkthrough(DocumentPage("\(Self.folder)/\(page).md"))
        #expect(walkthrough.commands.count > 6)
        try await walkthrough.follow()
    }

    @Test("The first plugin is made with the commands of the page on writing a plugin")
    func sameCommands() throws {
        let block = try #require(DocumentPage("Documentation/WritingAPlugin.md").blocks(in: "With the SDK").first)
        let tutorial = try DocumentPage("\(Self.folder)/YourFirstPlugin.md").text
        for line in block.split(separator: "\n") { #expect(tutorial.contains("$ \(line)"), "\(line)") }
    }

    @Test("The program of the tutorial on hosts is the sample in the repository, and what it adds compiles")
    func host() async throws {
        let page = try DocumentPage("\(Self.folder)/YourOwnHost.md")
        let sample = try DocumentPage("Samples/EmbeddedHost/Sources/EmbeddedHost/main.swift").text
        #expect(try page.blocks(in: "The program").first == sample)
        let services = try #require(page.blocks(in: "Offer something to plugins").first)
        try await SnippetCompiler().compile(services, as: "Services", file: "main", ["-typecheck"])
    }

    @Test(
        "The page for users of another framework names each of its public calls and concepts",
        arguments: [
            (
                "CTMediator",
                """
                sharedInstance CT() performActionWithUrl:completion: performTarget:action:params:shouldCacheTarget: \
                releaseCachedTargetWithFullTargetName: check:moduleName: kCTMediatorParamsKeySwiftTargetModuleName \
                topViewController keyWindow pushViewController:animated: presentViewController:animated:completion:
                """
            ),
            (
                "MGJRouter",
                """
                registerURLPattern:toHandler: registerURLPattern:toObjectHandler: deregisterURLPattern: openURL: \
                openURL:completion: openURL:withUserInfo:completion: objectForURL: objectForURL:withUserInfo: canOpenURL: \
                canOpenURL:matchExactly: generateURLWithPattern:parameters: MGJRouterParameterURL \
                MGJRouterParameterCompletion MGJRouterParameterUserInfo
                """
            ),
            (
                "Small",
                """
                setUpWithComplection: setBaseUri absoluteUriFromUri: openUri:fromView: openURL:fromView: \
                openUri:fromController: openURL:fromController: controllerForUri: controllerForURL: allBundles \
                bundleVersions setBundleVersion:forBundleName: bundleUpgradeUrlsForMode: setBundleUpgradeUrls: \
                setBundleUpgradeMode: performFetchWithCompletionHandler: isLaunchingNewHostApp \
                registerJSMethod:withHandler: jsHandlerForMethod: registerAction:withHandler: handlerForAction:
                """
            ),
            (
                "PARuntime",
                """
                PAURI PABusAccessor PABundleProvider PABundleDelegate resourceWithURI: NSExtensionPointIdentifier \
                NSExtensionPrincipalClass NSExtensionMainStoryboard NSExtensionAttributes NSExtensionActivationRule \
                beginRequestWithExtensionContext: completeRequestReturningItems:completionHandler: \
                cancelRequestWithError: openURL:completionHandler: NSExtensionItem NSItemProvider
                """
            ),
        ])
    func calls(framework: String, calls: String) throws {
        let page = try DocumentPage("\(Self.folder)/ComingFrom\(framework).md").text
        for call in calls.split(separator: " ") {
            #expect(page.contains("`\(call)`"), "\(call)")
        }
    }

    @Test("A host accepts the bundle.json of the page for users of Small")
    func composition() async throws {
        let page = try DocumentPage("\(Self.folder)/ComingFromSmall.md")
        let composition = try #require(page.blocks(in: "The composition").last)
        let folder = try ThrowawayFolder()
        let file = try folder.write(composition, to: "bundle.json").string
        let options = ["--sandbox", folder.appending("sandbox").string, "--composition", file]
        let result = try await HostApp.find().hostapp.run(options + ["open"])
        #expect(result.stderr.contains("no plugin handles \"app://detail\""), "\(result)")
    }
}
