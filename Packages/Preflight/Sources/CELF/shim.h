#include <elf.h>
