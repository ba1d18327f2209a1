#define _GNU_SOURCE
#include "filesystem.h"

#include <errno.h>
#include <unistd.h>

int cfilesystem_sync(int file) {
  return syncfs(file);
}
