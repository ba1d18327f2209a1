#include "plugin_entry.h"
