import Foundation

// This use keeps the linker from removing Foundation.
_ = Bundle.main.bundlePath
