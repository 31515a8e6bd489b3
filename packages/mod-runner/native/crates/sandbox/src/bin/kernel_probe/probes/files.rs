//! Files, whichever way they are asked for.

use std::ffi::CStr;
use std::fs::File;
use std::os::fd::IntoRawFd;
use std::path::PathBuf;

use crate::attempt::{Attempt, address, address_mut, arg, attempt_of_io, call};
use crate::probe::Baseline::{AnyUser, Kernel, Root};
use crate::probe::{Held, Probe};
use crate::scene::{INHERITED_DESCRIPTOR, Scene};

pub fn probes() -> Vec<Probe> {
    let mut probes = vec![
        Probe::new("open-passwd", AnyUser, |_, _| openat(c"/etc/passwd", libc::O_RDONLY)),
        Probe::new("open-passwd-on-thread", AnyUser, |_, _| openat(c"/etc/passwd", libc::O_RDONLY))
            .on_thread(),
        Probe::new("open-path-only", AnyUser, |_, _| openat(c"/etc/passwd", libc::O_PATH)),
        Probe::new("open-null-to-write", AnyUser, |_, _| openat(c"/dev/null", libc::O_WRONLY)),
        Probe::new("open-folder", AnyUser, |_, _| openat(c"/", libc::O_RDONLY | libc::O_DIRECTORY)),
        Probe::new("openat2", AnyUser, |_, _| openat2()),
        Probe::new("openat-held-folder", AnyUser, |_, held| openat_in(held, c"etc/passwd"))
            .after(|_| open("/")),
        Probe::new("create-file", AnyUser, |_, _| create_file()),
        Probe::new("make-folder", AnyUser, |_, _| make_folder()),
        Probe::new("proc-self-mem", AnyUser, |_, _| openat(c"/proc/self/mem", libc::O_RDWR)),
        Probe::new("proc-self-maps", AnyUser, |_, _| openat(c"/proc/self/maps", libc::O_RDONLY)),
        Probe::new("proc-self-environ", AnyUser, |_, _| openat(c"/proc/self/environ", libc::O_RDONLY)),
        Probe::new("proc-self-fd", AnyUser, |_, _| openat(c"/proc/self/fd/0", libc::O_PATH)),
        Probe::new("proc-self-exe", AnyUser, |_, _| openat(c"/proc/self/exe", libc::O_RDONLY)),
        Probe::new("proc-host-environ", AnyUser, |scene, _| open_of_host(scene, "environ")),
        Probe::new("proc-host-mem", AnyUser, |scene, _| open_of_host(scene, "mem")),
        Probe::new("inherited-descriptor", AnyUser, |_, _| {
            call(libc::SYS_fcntl, [arg(INHERITED_DESCRIPTOR), arg(libc::F_GETFD)])
        }),
        Probe::new("read-open-file", AnyUser, |_, held| read_from(held)).after(|_| open("/etc/passwd")),
        Probe::new("pread-open-file", AnyUser, |_, held| pread_from(held)).after(|_| open("/etc/passwd")),
        Probe::new("list-open-folder", AnyUser, |_, held| list_folder(held)).after(|_| open("/")),
        Probe::new("newfstatat", AnyUser, |_, _| stat()),
        Probe::new("statx", AnyUser, |_, _| statx()),
        Probe::new("readlink", AnyUser, |_, _| readlink()),
        Probe::new("faccessat", AnyUser, |_, _| {
            call(libc::SYS_faccessat, [arg(libc::AT_FDCWD), c"/etc/passwd".as_ptr().addr(), arg(libc::R_OK)])
        }),
        Probe::new("getcwd", AnyUser, |_, _| getcwd()),
        Probe::new("chdir", AnyUser, |_, _| call(libc::SYS_chdir, [c"/".as_ptr().addr()])),
        Probe::new("inotify", AnyUser, |_, _| call(libc::SYS_inotify_init1, [0])),
        Probe::new("fanotify", Kernel, |_, _| call(libc::SYS_fanotify_init, [0, 0])),
        Probe::new("name-to-handle", Kernel, |_, _| name_to_handle()),
        Probe::new("mount", Root, |_, _| mount()).after(|_| own_mounts()),
        Probe::new("chroot", Root, |_, _| call(libc::SYS_chroot, [c"/".as_ptr().addr()])),
    ];
    #[cfg(target_arch = "x86_64")]
    probes.extend([
        Probe::new("open", AnyUser, |_, _| call(libc::SYS_open, [c"/etc/passwd".as_ptr().addr(), 0])),
        Probe::new("access", AnyUser, |_, _| call(libc::SYS_access, [c"/etc/passwd".as_ptr().addr(), 0])),
    ]);
    probes
}

pub fn open(path: &str) -> Held {
    arg(File::open(path).expect("opened before the sandbox closes").into_raw_fd())
}

fn openat(path: &CStr, flags: libc::c_int) -> Attempt {
    call(libc::SYS_openat, [arg(libc::AT_FDCWD), path.as_ptr().addr(), arg(flags)])
}

fn openat_in(folder: Held, path: &CStr) -> Attempt {
    call(libc::SYS_openat, [folder, path.as_ptr().addr(), arg(libc::O_RDONLY)])
}

fn openat2() -> Attempt {
    // struct open_how: flags, mode, resolve.
    let how = [0_u64; 3];
    call(
        libc::SYS_openat2,
        [arg(libc::AT_FDCWD), c"/etc/passwd".as_ptr().addr(), address(&how), size_of_val(&how)],
    )
}

fn open_of_host(scene: &Scene, file: &str) -> Attempt {
    attempt_of_io(File::open(format!("/proc/{}/{file}", scene.host_pid)))
}

fn scratch_path() -> PathBuf {
    std::env::temp_dir().join(format!("codex-js-kernel-probe-{}", std::process::id()))
}

fn create_file() -> Attempt {
    let path = scratch_path();
    let attempt = attempt_of_io(File::create_new(&path));
    if attempt == Attempt::Allowed {
        std::fs::remove_file(&path).expect("what was created is removed");
    }
    attempt
}

fn make_folder() -> Attempt {
    let path = scratch_path();
    let attempt = attempt_of_io(std::fs::create_dir(&path));
    if attempt == Attempt::Allowed {
        std::fs::remove_dir(&path).expect("what was created is removed");
    }
    attempt
}

fn read_from(descriptor: Held) -> Attempt {
    let mut bytes = [0_u8; 8];
    call(libc::SYS_read, [descriptor, address_mut(&mut bytes), bytes.len()])
}

fn pread_from(descriptor: Held) -> Attempt {
    let mut bytes = [0_u8; 8];
    call(libc::SYS_pread64, [descriptor, address_mut(&mut bytes), bytes.len(), 0])
}

fn list_folder(descriptor: Held) -> Attempt {
    let mut entries = [0_u64; 512];
    call(libc::SYS_getdents64, [descriptor, address_mut(&mut entries), size_of_val(&entries)])
}

fn stat() -> Attempt {
    let mut status = [0_u64; 64];
    call(
        libc::SYS_newfstatat,
        [arg(libc::AT_FDCWD), c"/etc/passwd".as_ptr().addr(), address_mut(&mut status), 0],
    )
}

fn statx() -> Attempt {
    let mut status = [0_u64; 64];
    call(
        libc::SYS_statx,
        [
            arg(libc::AT_FDCWD),
            c"/etc/passwd".as_ptr().addr(),
            0,
            arg(libc::STATX_SIZE),
            address_mut(&mut status),
        ],
    )
}

fn readlink() -> Attempt {
    let mut target = [0_u8; 256];
    call(
        libc::SYS_readlinkat,
        [arg(libc::AT_FDCWD), c"/proc/self/exe".as_ptr().addr(), address_mut(&mut target), target.len()],
    )
}

fn getcwd() -> Attempt {
    let mut path = [0_u8; 4096];
    call(libc::SYS_getcwd, [address_mut(&mut path), path.len()])
}

fn name_to_handle() -> Attempt {
    // struct file_handle: the handle's room in bytes, its type, the handle; and the mount's id.
    const ROOM_BYTES: u32 = 128;
    let mut handle = [0_u32; 2 + ROOM_BYTES as usize / 4];
    handle[0] = ROOM_BYTES;
    let mut mount = 0_i32;
    call(
        libc::SYS_name_to_handle_at,
        [
            arg(libc::AT_FDCWD),
            c"/etc/passwd".as_ptr().addr(),
            address_mut(&mut handle),
            address_mut(&mut mount),
            0,
        ],
    )
}

/// So that what `mount` does without the sandbox stays in the probe's process.
fn own_mounts() -> Held {
    // SAFETY: takes a number. Refused to ordinary users, who cannot mount either.
    unsafe { libc::unshare(libc::CLONE_NEWNS) };
    0
}

fn mount() -> Attempt {
    let flags = libc::MS_REC | libc::MS_PRIVATE;
    call(libc::SYS_mount, [c"none".as_ptr().addr(), c"/".as_ptr().addr(), 0, flags as usize, 0])
}
