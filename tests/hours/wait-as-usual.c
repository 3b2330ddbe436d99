// libfaketime tells the true time to whatever runs while it waits for events, signal handlers too. PostgreSQL asks for
// the time in the handler of its alarm, so none of its time-outs would ever come. Waiting needs no shifted clock: the
// kernel is asked directly, before libfaketime hears of it.
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_wait(int queue, struct epoll_event *events, int most, int milliseconds) {
  return (int)syscall(SYS_epoll_pwait, queue, events, most, milliseconds, 0, 0);
}
