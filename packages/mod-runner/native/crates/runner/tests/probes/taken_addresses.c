// As if something else lay at the low addresses: what asks for them gets other ones, as from the kernel. With
// TAKEN=once only in the first start of a runner.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void *(*mapper)(void *, size_t, int, int, int, off_t);

static void *map(const char *name, void *address, size_t length, int protection, int flags, int file, off_t offset) {
  mapper next = (mapper)dlsym(RTLD_NEXT, name);
  const char *taken = getenv("TAKEN");
  int is_taken = taken && (strcmp(taken, "once") != 0 || !getenv("CODEX_JS_MOD_RUNNER_STARTS"));
  int is_low = (size_t)address <= (1ul << 20) && length >= (1ul << 32) && length < (1ul << 33);
  if (is_taken && is_low) address = NULL;
  return next(address, length, protection, flags, file, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return map("mmap", address, length, protection, flags, file, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return map("mmap64", address, length, protection, flags, file, offset);
}
