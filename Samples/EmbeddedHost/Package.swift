// swift-tools-version: 6.3
import PackageDescription

// "bundletool build" tells the compiler where the SDK is and links its libraries, so nothing of it is named here.
let package = Package(name: "EmbeddedHost", targets: [.executableTarget(name: "EmbeddedHost")])
