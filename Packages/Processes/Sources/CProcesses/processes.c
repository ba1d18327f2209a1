#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Room for the descriptors of one message.
union control {
    char bytes[CMSG_SPACE(PROCESS_SOCKET_FILES * sizeof(int))];
    struct cmsghdr header;
};

long process_send(int socket, const void *bytes, size_t count, const int *files, int file_count, bool waits) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (file_count > 0) {
        size_t size = (size_t)file_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), files, size);
    }
    long sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
    } while (sent < 0 && errno == EINTR);
    return sent;
}

long process_receive(
    int socket, void *bytes, size_t count, int files[PROCESS_SOCKET_FILES], int *file_count, bool waits) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union control control;
    struct msghdr message;
    long received;
    do {
        message = (struct msghdr){
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    } while (received < 0 && errno == EINTR);
    *file_count = 0;
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int index = 0; index < found; index++) {
            int file;
            memcpy(&file, CMSG_DATA(header) + (size_t)index * sizeof file, sizeof file);
            if (*file_count < PROCESS_SOCKET_FILES) {
                files[(*file_count)++] = file;
            } else {
                close(file);
            }
        }
    }
    if (message.msg_flags & MSG_CTRUNC) {
        for (int index = 0; index < *file_count; index++) close(files[index]);
        *file_count = -1;
    }
    return received;
}

int process_open_handle(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int process_seal(int file, bool is_written) {
    return fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (is_written ? F_SEAL_WRITE : 0));
}

void process_confine(int parent) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) raise(SIGKILL);
}

long process_allocated_bytes(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    // Large blocks are mapped on their own and counted apart.
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
#else
    return -1;
#endif
}
