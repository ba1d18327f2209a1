// SwiftPM builds no target without a source file.
#include "plugin_entry.h"
