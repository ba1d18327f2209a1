public import CPluginEntry

/// The object that the host makes of a bundle's code on first use.
///
/// ```swift
/// final class Shop: Plugin {
///     init(context: any PluginContext) {
///         context.bind(route: "shop/item/:id") { request in ItemPage(number: try request["id"]) }
///     }
/// }
/// ```
@MainActor
public protocol Plugin: AnyObject {
    /// Creates the plugin, which binds its routes and actions.
    ///
    /// - Throws: Any error; the address that the plugin was loaded for is then not opened.
    init(context: any PluginContext) throws
}

/// A screen of a plugin. While it is open, the host draws it as often as it likes.
@MainActor
public protocol Page: AnyObject {
    /// The title, one line.
    var title: String { get }
    /// Returns the lines to show now.
    func content() throws -> [String]
}

/// All that a plugin gets from its host. What the plugin binds here ends with its version, whatever the plugin does.
///
/// The host owns the plugin, and the plugin may own its context: the host breaks this reference cycle when the version ends.
@MainActor
public protocol PluginContext: AnyObject {
    /// The version that the bundle's manifest names.
    var version: String { get }

    /// Opens the addresses of a pattern, one of the manifest's `routes`.
    func bind(route pattern: String, to handler: @escaping @MainActor (Request) throws -> any Page)

    /// Answers an action of the manifest's `target`.
    func bind(action name: String, to handler: @escaping @MainActor ([String: String]) throws -> String)

    /// Calls an action of another plugin, which is loaded on first use.
    ///
    /// - Parameters:
    ///   - target: The `target` of the other bundle's manifest.
    ///   - action: The name under which the other plugin has bound the action.
    ///   - parameters: Texts by name. Objects never cross: they would outlive the version that they come from.
    /// - Returns: What the action returns.
    /// - Throws: ``Failure`` if no bundle has the target or the action, or the action fails.
    func call(_ target: String, _ action: String, _ parameters: [String: String]) throws -> String
}

/// A request to open an address such as `app://shop/item/42?from=mail`.
public struct Request: Sendable {
    /// The address as it was given.
    public let address: String
    /// The segments of its path.
    public let path: [String]
    /// The captures of the pattern, and the values after the question mark.
    public var values: [String: String]

    /// Splits an address. Characters stand for themselves; there is no percent-encoding.
    ///
    /// - Throws: ``Failure`` if it does not begin with `app://`, or a segment of its path is empty.
    public init(_ address: String) throws {
        let (front, query) = Self.halves(of: address, at: "?")
        let path = front.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard path.count > 2, path[0] == "app:", path[1].isEmpty, !path[2...].contains("") else {
            throw Failure("\"\(address)\" is not an address; it must look like app://shop/item/42")
        }
        self.address = address
        self.path = Array(path[2...])
        let pairs = query.split(separator: "&").map { Self.halves(of: $0, at: "=") }
        values = Dictionary(pairs.map { (String($0), String($1)) }) { first, _ in first }
    }

    /// Returns what is before and after the first of a character. Without one, the second half is empty.
    private static func halves(of text: some StringProtocol, at separator: Character) -> (Substring, Substring) {
        let text = Substring(text)
        guard let index = text.firstIndex(of: separator) else { return (text, "") }
        return (text[..<index], text[text.index(after: index)...])
    }

    /// The value with a name.
    ///
    /// - Throws: ``Failure`` if the address has none.
    public subscript(name: String) -> String {
        get throws {
            guard let value = values[name] else { throw Failure("\(address) has no value for \"\(name)\"") }
            return value
        }
    }
}

/// An error with a sentence for people.
public struct Failure: Error, CustomStringConvertible {
    /// A sentence with the problem, its subject and a remedy.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}

/// The value that a plugin's library exports. The host looks up this one symbol, and no other name.
///
/// ```swift
/// @c(minimal_plugin_entry)
/// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Shop.self) }
/// ```
public enum PluginEntry {
    /// The name of the exported function.
    public static let symbol = "minimal_plugin_entry"

    /// Returns the description of a plugin, a pointer to a `plugin_entry_t` that is never freed.
    ///
    /// - Parameters:
    ///   - type: The plugin's type.
    ///   - abi: The version of the contract that the plugin was built with. Swift evaluates a default value where it is
    ///     used, so this one and the next come from the plugin's library, and not from that of the contract.
    ///   - compiler: The compiler that the plugin was built with.
    public static func describe(
        _ type: any Plugin.Type, abi: UInt32 = contract_abi(), compiler: UnsafePointer<CChar> = contract_compiler()
    ) -> UnsafeRawPointer {
        let entry = UnsafeMutablePointer<plugin_entry_t>.allocate(capacity: 1)
        let type = Unmanaged.passRetained(PluginType(type)).toOpaque()
        entry.initialize(to: plugin_entry_t(abi: abi, compiler: compiler, contract: thisCopy, type: type))
        return UnsafeRawPointer(entry)
    }

    /// Returns the type of a plugin that a library has described.
    ///
    /// - Throws: ``Failure`` if it was built with another version of the contract or another compiler, or contains a
    ///   copy of the contract: with two copies in a process, a plugin is no `Plugin` to its host.
    public static func type(describedBy pointer: UnsafeRawPointer) throws -> any Plugin.Type {
        let (abi, own) = (pointer.load(as: UInt32.self), contract_abi())
        guard abi == own else {
            throw Failure("it was built for version \(abi) of the contract, and this host for \(own); build it again")
        }
        let entry = pointer.load(as: plugin_entry_t.self)
        let (compiler, ours) = (String(cString: entry.compiler), String(cString: contract_compiler()))
        guard compiler == ours else {
            throw Failure("it was built by \(compiler), and this host by \(ours); build it again")
        }
        guard entry.contract == thisCopy else {
            throw Failure("it contains a copy of the contract; link the library instead")
        }
        return Unmanaged<PluginType>.fromOpaque(entry.type).takeUnretainedValue().type
    }

    /// An address that no other copy of this library has.
    private static var thisCopy: UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(PluginType.self)))
    }
}

/// The type of a plugin, boxed so that a C pointer can refer to it.
private final class PluginType {
    let type: any Plugin.Type

    init(_ type: any Plugin.Type) {
        self.type = type
    }
}

// In the product: Packages/Core/Sources/PluginCore, Packages/Core/Sources/CPluginEntry, Packages/Preflight. It adds contracts
// with types, actions and fields of pages, resources in several languages, containers for data, calls that are asynchronous,
// and a note in the library's file, so that an incompatible library is refused before any of its code runs.
