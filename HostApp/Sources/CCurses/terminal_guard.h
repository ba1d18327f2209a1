// Gives the terminal back when a signal ends the program or its code crashes, and lets the handlers that were there before do the rest.
//
// It is included by the two files that take the terminal, each of which has a guard of its own.
#ifndef TERMINAL_GUARD_H
#define TERMINAL_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

// Gives the terminal back, on any thread.
static void (*guard_restore)(void);
// The handlers before, for the signals that are taken.
static struct sigaction guard_before[NSIG];
static bool is_guarded[NSIG];

static bool is_among(int number, const int *numbers, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (numbers[index] == number) return true;
  }
  return false;
}

#define IS_AMONG(number, ...) is_among(number, (const int[]){__VA_ARGS__}, sizeof (const int[]){__VA_ARGS__} / sizeof(int))

#define IS_FAULT(number) IS_AMONG(number, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS)

static void guard_end(int number, siginfo_t *info, void *context) {
  (void)context;
  guard_restore();
  sigaction(number, &guard_before[number], NULL);
  if (!IS_FAULT(number)) {
    raise(number);
    return;
  }
  // Such a fault happens again when the instruction is repeated.
  if (IS_AMONG(number, SIGSEGV, SIGBUS, SIGILL, SIGFPE) && info->si_code > 0) return;
  // Swift's handler sees who has sent the signal, reports it, and returns.
  for (int round = 0; round < 2; round++) {
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
    signal(number, SIG_DFL);
  }
}

// Takes the signals of a crash, and those that end the program by default, whatever sends them.
//
// The other ones belong to their handlers, such as that of a session, but for those by which a program is asked to end, if it is so wanted.
static void guard_take(void (*restore)(void), bool takes_requests) {
  guard_restore = restore;
  for (int number = 1; number < NSIG; number++) {
    is_guarded[number] = false;
    if (IS_AMONG(number, SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH)) continue;
    if (sigaction(number, NULL, &guard_before[number]) != 0) continue;
    // A signal that is ignored, as under nohup or in a program started in the background, stays ignored.
    if (guard_before[number].sa_handler == SIG_IGN) continue;
    bool is_request = takes_requests && IS_AMONG(number, SIGHUP, SIGTERM);
    if (!IS_FAULT(number) && !is_request && guard_before[number].sa_handler != SIG_DFL) continue;
    struct sigaction action = {.sa_sigaction = guard_end, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    is_guarded[number] = sigaction(number, &action, NULL) == 0;
  }
}

static void guard_give_back(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction now;
    if (!is_guarded[number] || sigaction(number, NULL, &now) != 0) continue;
    is_guarded[number] = false;
    // A handler that was installed meanwhile stays, and may pass signals on to this one.
    if (now.sa_sigaction == guard_end) sigaction(number, &guard_before[number], NULL);
  }
}

#endif
