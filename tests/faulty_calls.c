/* Calls of the C library that change files fail as a test asks for: see faulty_calls.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long fails_at, counted;
static int with_error, from_then_on;

void faults_begin(const char *under, long at, int error, int lasting)
{
    snprintf(folder, sizeof folder, "%s", under);
    with_error = error;
    from_then_on = lasting;
    __atomic_store_n(&counted, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&fails_at, at, __ATOMIC_SEQ_CST);
}

long faults_end(void)
{
    folder[0] = 0;
    return __atomic_load_n(&counted, __ATOMIC_SEQ_CST);
}

static int fails(const char *path)
{
    size_t length = strlen(folder);
    if (!length || strncmp(path, folder, length))
        return 0;
    long number = __atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST);
    if (number != fails_at && !(from_then_on && fails_at && number > fails_at))
        return 0;
    errno = with_error;
    return 1;
}

static int fails_for(int handle)
{
    char link[64], path[PATH_MAX];
    if (!folder[0])
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return fails(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define BY_HANDLE(type, name, parameters, ...)                                                     \
    type name parameters                                                                           \
    {                                                                                              \
        return fails_for(handle) ? -1 : REAL(name)(__VA_ARGS__);                                   \
    }

BY_HANDLE(ssize_t, write, (int handle, const void *data, size_t size), handle, data, size)
BY_HANDLE(ssize_t, pwrite, (int handle, const void *data, size_t size, off_t at), handle, data,
          size, at)
BY_HANDLE(ssize_t, pwrite64, (int handle, const void *data, size_t size, off64_t at), handle, data,
          size, at)
BY_HANDLE(ssize_t, writev, (int handle, const struct iovec *parts, int count), handle, parts, count)
BY_HANDLE(ssize_t, pwritev, (int handle, const struct iovec *parts, int count, off_t at), handle,
          parts, count, at)
BY_HANDLE(ssize_t, pwritev64, (int handle, const struct iovec *parts, int count, off64_t at),
          handle, parts, count, at)
BY_HANDLE(int, fsync, (int handle), handle)
BY_HANDLE(int, fdatasync, (int handle), handle)
BY_HANDLE(int, ftruncate, (int handle, off_t size), handle, size)
BY_HANDLE(int, ftruncate64, (int handle, off64_t size), handle, size)
BY_HANDLE(int, fallocate, (int handle, int mode, off_t at, off_t size), handle, mode, at, size)
BY_HANDLE(int, fallocate64, (int handle, int mode, off64_t at, off64_t size), handle, mode, at,
          size)

int posix_fallocate(int handle, off_t at, off_t size)
{
    return fails_for(handle) ? with_error : REAL(posix_fallocate)(handle, at, size);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(path) ? -1 : REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    return fails(to) ? -1 : REAL(rename)(from, to);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                              \
        /* What is there already needs no room. */                                                 \
        int makes = flags & O_CREAT && access(path, F_OK);                                         \
        return makes && fails(path) ? -1 : REAL(name)(path, flags, mode);                          \
    }

OPEN(open)
OPEN(open64)
