/* Loaded before libc (LD_PRELOAD): makes fsync and fdatasync slower by SLOW_SYNC_US microseconds, as a busy disk is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_disk(void) {
  const char *text = getenv("SLOW_SYNC_US");
  long us = text ? atol(text) : 0;
  struct timespec pause = {us / 1000000, (us % 1000000) * 1000};
  if (us > 0) nanosleep(&pause, NULL);
}

int fsync(int fd) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return next(fd);
}

int fdatasync(int fd) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return next(fd);
}
