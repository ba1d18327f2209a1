#ifndef CSYSTEM_SIGNAL_STACKS_H
#define CSYSTEM_SIGNAL_STACKS_H

// Alternate signal stacks, without which a stack overflow ends a process before any handler of it runs. Each thread gets one when it
// starts, whoever starts it, because this target replaces pthread_create.

// Gives the calling thread an alternate stack, unless it has one.
void signal_stack_give(void);

#endif
