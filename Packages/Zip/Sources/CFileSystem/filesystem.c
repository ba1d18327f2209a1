#define _GNU_SOURCE
#include "filesystem.h"

#include <errno.h>
#include <unistd.h>

int cfilesystem_sync(int file) {
#ifdef __linux__
  return syncfs(file);
#else
  (void)file;
  errno = ENOSYS;
  return -1;
#endif
}
