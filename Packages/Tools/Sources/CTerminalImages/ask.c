#include "terminal_images.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int write_all(int descriptor, const char *text, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, text, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return -1;
    text += written;
    count -= (size_t)written;
  }
  return 0;
}

int terminal_ask(int descriptor, const char *query, char last, int milliseconds, char *answer, int capacity) {
  struct termios before;
  if (tcgetattr(descriptor, &before) != 0) return -1;
  struct termios quiet = before;
  quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  quiet.c_cc[VMIN] = 1;
  quiet.c_cc[VTIME] = 0;
  if (tcsetattr(descriptor, TCSANOW, &quiet) != 0) return -1;
  int count = 0;
  // What was typed before is the program's input, not an answer.
  struct pollfd typed = {.fd = descriptor, .events = POLLIN};
  if (poll(&typed, 1, 0) > 0) {
    tcsetattr(descriptor, TCSANOW, &before);
    return 0;
  }
  long deadline = now() + milliseconds;
  if (write_all(descriptor, query, strlen(query)) == 0) {
    while (count < capacity) {
      long rest = deadline - now();
      struct pollfd poll_descriptor = {.fd = descriptor, .events = POLLIN};
      int ready = rest > 0 ? poll(&poll_descriptor, 1, (int)rest) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0 || read(descriptor, answer + count, 1) != 1) break;
      count += 1;
      if (answer[count - 1] == last) break;
    }
  }
  tcsetattr(descriptor, TCSANOW, &before);
  return count;
}
