/* Disturbs what a process writes to a file: preloaded by test_disturbed.py.
 *
 * DISTURB_KILL=N  ends the process before its Nth change of a file: a write (the first half of it is
 *                 made), a cut, a rename, a removal, a new name or a new folder.
 * DISTURB_PLAIN   the file system cannot rename without replacing, nor exchange.
 * DISTURB_SHORT   makes every other write short, and has a signal interrupt the others first.
 * DISTURB_LOG=F   appends the name of each such call, and of each sync and answer, to a file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What the process starts, such as the symbolizer of a sanitizer, is not disturbed and not noted. */
__attribute__((constructor)) static void stayAlone(void) { unsetenv("LD_PRELOAD"); }

static ssize_t really(int file, const void *bytes, size_t count, off_t offset, int isAt) {
  return isAt ? REAL(pwrite)(file, bytes, count, offset) : REAL(write)(file, bytes, count);
}

static int isFile(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static void note(const char *name, int file) {
  const char *path = getenv("DISTURB_LOG");
  struct stat status;
  char text[64];
  if (!path) return;
  int isFolder = file >= 0 && fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  int length = snprintf(text, sizeof text, "%s%s\n", name, isFolder ? " folder" : "");
  int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  REAL(write)(log, text, length);
  close(log);
}

/* Whether the process is to end at this change of a file. */
static int isLast(void) {
  static int changes;
  const char *text = getenv("DISTURB_KILL");
  return text && ++changes == atoi(text);
}

static ssize_t put(int file, const void *bytes, size_t count, off_t offset, int isAt) {
  static int turn;
  if (file == 1) note("answer", file);
  if (!isFile(file)) return really(file, bytes, count, offset, isAt);
  note("write", file);
  if (isLast()) {
    really(file, bytes, count / 2, offset, isAt);
    raise(SIGKILL);
  }
  if (!getenv("DISTURB_SHORT")) return really(file, bytes, count, offset, isAt);
  if (turn++ % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  return really(file, bytes, count > 7 ? count / 2 : count, offset, isAt);
}

ssize_t write(int file, const void *bytes, size_t count) { return put(file, bytes, count, 0, 0); }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return put(file, bytes, count, offset, 1);
}

int ftruncate(int file, off_t length) {
  note("cut", file);
  if (isLast()) raise(SIGKILL);
  return REAL(ftruncate)(file, length);
}

int rename(const char *from, const char *to) {
  note("rename", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(rename)(from, to);
}

int unlink(const char *path) {
  note("remove", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(unlink)(path);
}

int renameat(int from, const char *old, int to, const char *new) {
  note("rename", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(renameat)(from, old, to, new);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  if (getenv("DISTURB_PLAIN")) {
    errno = EINVAL;
    return -1;
  }
  note("rename", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(renameat2)(from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  note("link", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(linkat)(from, old, to, new, flags);
}

int unlinkat(int folder, const char *path, int flags) {
  note("remove", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(unlinkat)(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  note("folder", -1);
  if (isLast()) raise(SIGKILL);
  return REAL(mkdirat)(folder, path, mode);
}

int fsync(int file) {
  note("sync", file);
  return REAL(fsync)(file);
}

int fdatasync(int file) {
  note("sync", file);
  return REAL(fdatasync)(file);
}
