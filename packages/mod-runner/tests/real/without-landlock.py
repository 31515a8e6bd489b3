# Runs a program as on a kernel without Landlock: `python3 without-landlock.py PROGRAM ARGUMENT…`.
# A filter answers ENOSYS to landlock_create_ruleset, as a kernel does that was built without it.
import ctypes
import os
import struct
import sys

LANDLOCK_CREATE_RULESET = 444
ENOSYS = 38
LOAD_CALL_NUMBER = 0x20
JUMP_IF_EQUAL = 0x15
RETURN = 0x06
ALLOW = 0x7FFF0000
FAIL = 0x00050000

instructions = [
    (LOAD_CALL_NUMBER, 0, 0, 0),
    (JUMP_IF_EQUAL, 0, 1, LANDLOCK_CREATE_RULESET),
    (RETURN, 0, 0, FAIL | ENOSYS),
    (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in instructions))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(instructions), ctypes.addressof(code)))

libc = ctypes.CDLL(None, use_errno=True)
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
for arguments in [(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)]:
    if libc.prctl(*arguments) != 0:
        sys.exit(f"prctl {arguments[0]} failed: {os.strerror(ctypes.get_errno())}")
os.execv(sys.argv[1], sys.argv[1:])
