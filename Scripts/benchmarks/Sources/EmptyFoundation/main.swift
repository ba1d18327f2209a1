import Foundation

// Keeps the linker from leaving Foundation out.
_ = Bundle.main.bundlePath
