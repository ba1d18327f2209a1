#define _GNU_SOURCE
#include "attempts.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_in local(int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int connect_to(int family, int type, int protocol, const void *address, socklen_t length) {
    int connection = socket(family, type | SOCK_CLOEXEC, protocol);
    if (connection < 0) return errno;
    int result = TRY(connect(connection, address, length));
    close(connection);
    return result;
}

static int connect_tcp(targets *t) {
    struct sockaddr_in address = local(t->tcp);
    return connect_to(AF_INET, SOCK_STREAM, 0, &address, sizeof address);
}
static int connect_multipath(targets *t) {
    struct sockaddr_in address = local(t->tcp);
    return connect_to(AF_INET, SOCK_STREAM, 262, &address, sizeof address);
}
static int connect_tcp6(targets *t) {
    struct sockaddr_in6 address = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)t->tcp6), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    return connect_to(AF_INET6, SOCK_STREAM, 0, &address, sizeof address);
}
static int connect_fast(targets *t) {
    struct sockaddr_in address = local(t->tcp);
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) return errno;
    return TRY(sendto(connection, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
}
static int send_udp(targets *t) {
    struct sockaddr_in address = local(t->udp);
    int sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sender < 0) return errno;
    return TRY(sendto(sender, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
}
static int bind_to(int type, int port) {
    struct sockaddr_in address = local(port);
    int listener = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (listener < 0) return errno;
    return TRY(bind(listener, (struct sockaddr *)&address, sizeof address));
}
static int bind_tcp(targets *t) { return bind_to(SOCK_STREAM, t->free_port); }
static int bind_udp(targets *t) { return bind_to(SOCK_DGRAM, t->free_port); }
static int accept_tcp(targets *t) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return listener < 0 ? errno : TRY(listen(listener, 1));
}
static int connect_path(targets *t) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, t->socket, sizeof address.sun_path - 1);
    return connect_to(AF_UNIX, SOCK_STREAM, 0, &address, sizeof address);
}
static int connect_abstract(targets *t) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + 1, t->abstract, sizeof address.sun_path - 2);
    return connect_to(
        AF_UNIX, SOCK_STREAM, 0, &address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(t->abstract)));
}
static int bind_path(targets *t) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/s", t->container);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return listener < 0 ? errno : TRY(bind(listener, (struct sockaddr *)&address, sizeof address));
}
static int pair(targets *t) {
    int ends[2];
    return TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}
// The socket to the host, or one of an unconfined process.
static int connected(void) {
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ? ends[0] : 3;
}
static int descriptor_of_host(targets *t) {
    int process = -1;
    socklen_t size = sizeof process;
    return TRY(getsockopt(connected(), SOL_SOCKET, 77, &process, &size));
}
static int ask_for_descriptors(targets *t) {
    int on = 1;
    return TRY(setsockopt(connected(), SOL_SOCKET, 76, &on, sizeof on));
}
static int filter_socket(targets *t) {
    struct sock_filter accept = {.code = BPF_RET | BPF_K, .k = ~0u};
    struct sock_fprog program = {1, &accept};
    return TRY(setsockopt(connected(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
}
static int open_socket(int family, int type, int protocol) { return TRY(socket(family, type | SOCK_CLOEXEC, protocol)); }
static int raw(targets *t) { return open_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int packet(targets *t) { return open_socket(AF_PACKET, SOCK_RAW, htons(3)); }
static int netlink(targets *t) { return open_socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE); }
static int vsock(targets *t) { return open_socket(AF_VSOCK, SOCK_STREAM, 0); }
static int crypto(targets *t) { return open_socket(38, SOCK_SEQPACKET, 0); }

const struct breakout_attempt network_attempts[] = {
    {"connect to TCP", "EPERM", true, breakout_control_any, connect_tcp},
    {"connect to TCP over IPv6", "EPERM", true, breakout_control_any, connect_tcp6},
    {"connect to TCP over several paths", "EPERM", true, breakout_control_any, connect_multipath},
    {"connect to TCP with the first data", "EPERM", true, breakout_control_any, connect_fast},
    {"send by UDP", "EPERM", true, breakout_control_any, send_udp},
    {"bind a TCP port", "EPERM", true, breakout_control_any, bind_tcp},
    {"bind a UDP port", "EPERM", true, breakout_control_any, bind_udp},
    {"listen for TCP", "EPERM", true, breakout_control_any, accept_tcp},
    {"connect to a Unix socket of the host", "EPERM", true, breakout_control_any, connect_path},
    {"connect to an abstract socket of the host", "EPERM", true, breakout_control_any, connect_abstract},
    {"bind a Unix socket in its container", "EPERM", true, breakout_control_any, bind_path},
    {"create a pair of sockets", "EPERM", true, breakout_control_any, pair},
    {"get a descriptor of the host's process from a socket", "ENOSYS", true, breakout_control_any, descriptor_of_host},
    {"get descriptors of senders with messages", "ENOSYS", true, breakout_control_any, ask_for_descriptors},
    {"attach a filter to a socket", "ENOSYS", true, breakout_control_any, filter_socket},
    {"open a raw socket", "EPERM", true, breakout_control_root, raw},
    {"open a packet socket", "EPERM", true, breakout_control_root, packet},
    {"open a netlink socket", "EPERM", true, breakout_control_any, netlink},
    {"open a socket to the hypervisor", "EPERM", true, breakout_control_any, vsock},
    {"open a socket to the kernel's cryptography", "EPERM", true, breakout_control_any, crypto},
};
const int network_count = sizeof network_attempts / sizeof network_attempts[0];
