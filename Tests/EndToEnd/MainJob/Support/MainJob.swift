import Foundation
import PluginCore
import PluginTestKit
import Testing

/// The steps that a user takes with the built host and its sample plugins, and the guarantees that hold at every step.
enum MainJob {
    static let account = "com.example.app.account"
    static let orders = "com.example.app.orders"
    static let shop = "com.example.app.shop"
    static let money = "com.example.lib.money"
    static let lantern = "com.example.assets.lantern"

    /// The condition of a test that looks for plugins in the host's own process.
    static let inHostProcess: ConditionTrait = .enabled("these plugins run in processes of their own") {
        let composition = try HostApp.find().build.appending("share/atrium/bundle.json")
        return try !String(contentsOfFile: composition.string, encoding: .utf8).contains("isolatedTeams")
    }
}
