//! Sockets: new ones, ones from before, and the one that standard input is.

use std::net::UdpSocket;
use std::os::fd::IntoRawFd;

use crate::attempt::{Attempt, address, address_mut, arg, call, raw};
use crate::probe::Baseline::{AnyUser, Kernel, Root};
use crate::probe::{Held, Probe};
use crate::scene::Scene;

pub fn probes() -> Vec<Probe> {
    vec![
        Probe::new("socket-unix", AnyUser, |_, _| socket(libc::AF_UNIX, libc::SOCK_STREAM)),
        Probe::new("socket-tcp", AnyUser, |_, _| socket(libc::AF_INET, libc::SOCK_STREAM)),
        Probe::new("socket-udp", AnyUser, |_, _| socket(libc::AF_INET, libc::SOCK_DGRAM)),
        Probe::new("socket-tcp6", Kernel, |_, _| socket(libc::AF_INET6, libc::SOCK_STREAM)),
        Probe::new("socket-netlink", AnyUser, |_, _| socket(libc::AF_NETLINK, libc::SOCK_RAW)),
        Probe::new("socket-packet", Root, |_, _| socket(libc::AF_PACKET, libc::SOCK_RAW)),
        Probe::new("socket-raw", Root, |_, _| socket_raw()),
        Probe::new("socket-vsock", Kernel, |_, _| socket(libc::AF_VSOCK, libc::SOCK_STREAM)),
        Probe::new("socket-crypto", Kernel, |_, _| socket(libc::AF_ALG, libc::SOCK_SEQPACKET)),
        Probe::new("socket-any-family", AnyUser, |_, _| socket_of_any_family()),
        Probe::new("socketpair", AnyUser, |_, _| socketpair()),
        Probe::new("connect-tcp", AnyUser, connect_tcp).after(|_| tcp_socket()),
        Probe::new("bind-tcp", AnyUser, |_, held| bind_loopback(held)).after(|_| tcp_socket()),
        Probe::new("listen-tcp", AnyUser, |_, held| call(libc::SYS_listen, [held, 1]))
            .after(|_| tcp_socket()),
        Probe::new("send-udp", AnyUser, send_udp).after(|_| udp_socket()),
        Probe::new("connect-abstract-unix", AnyUser, connect_abstract).after(|_| unix_socket()),
        Probe::new("send-descriptor-on-stdin", AnyUser, |_, _| send_descriptor()),
        Probe::new("set-option-of-stdin", AnyUser, |_, _| set_option()),
        Probe::new("write-to-stdin", AnyUser, |_, _| write_to(0)),
    ]
}

fn socket(family: libc::c_int, kind: libc::c_int) -> Attempt {
    call(libc::SYS_socket, [arg(family), arg(kind), 0])
}

fn socket_raw() -> Attempt {
    call(libc::SYS_socket, [arg(libc::AF_INET), arg(libc::SOCK_RAW), arg(libc::IPPROTO_ICMP)])
}

/// Every family that Linux has numbers for, in the kinds that families have.
fn socket_of_any_family() -> Attempt {
    let families = 1..=libc::AF_XDP + 8;
    let kinds = [libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET];
    let mut last = Attempt::Denied { errno: 0 };
    for (family, kind) in families.flat_map(|family| kinds.map(|kind| (family, kind))) {
        last = socket(family, kind);
        if last == Attempt::Allowed {
            break;
        }
    }
    last
}

fn socketpair() -> Attempt {
    let mut pair = [0_i32; 2];
    call(libc::SYS_socketpair, [arg(libc::AF_UNIX), arg(libc::SOCK_STREAM), 0, address_mut(&mut pair)])
}

fn tcp_socket() -> Held {
    arg(raw(libc::SYS_socket, [arg(libc::AF_INET), arg(libc::SOCK_STREAM), 0]))
}

fn unix_socket() -> Held {
    arg(raw(libc::SYS_socket, [arg(libc::AF_UNIX), arg(libc::SOCK_STREAM), 0]))
}

fn udp_socket() -> Held {
    arg(UdpSocket::bind("127.0.0.1:0").expect("bound before the sandbox closes").into_raw_fd())
}

/// struct sockaddr_in of a port on 127.0.0.1.
fn loopback(port: u16) -> [u8; 16] {
    let mut socket_address = [0_u8; 16];
    socket_address[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
    socket_address[2..4].copy_from_slice(&port.to_be_bytes());
    socket_address[4..8].copy_from_slice(&[127, 0, 0, 1]);
    socket_address
}

fn connect_tcp(scene: &Scene, socket: Held) -> Attempt {
    let target = loopback(scene.tcp_port);
    call(libc::SYS_connect, [socket, address(&target), target.len()])
}

fn bind_loopback(socket: Held) -> Attempt {
    let own = loopback(0);
    call(libc::SYS_bind, [socket, address(&own), own.len()])
}

/// Nobody listens there, which a datagram does not mind.
fn send_udp(scene: &Scene, socket: Held) -> Attempt {
    let target = loopback(scene.tcp_port);
    call(libc::SYS_sendto, [socket, address(b"x"), 1, 0, address(&target), target.len()])
}

fn connect_abstract(scene: &Scene, socket: Held) -> Attempt {
    // struct sockaddr_un: the family, a NUL, the name.
    let mut target = (libc::AF_UNIX as u16).to_ne_bytes().to_vec();
    target.push(0);
    target.extend(scene.socket_name().as_bytes());
    call(libc::SYS_connect, [socket, target.as_ptr().addr(), target.len()])
}

fn send_descriptor() -> Attempt {
    // SCM_RIGHTS with descriptor 2: struct cmsghdr and one number. Not 1, whose end the driver waits for.
    #[repr(C)]
    struct Control {
        header: [usize; 1],
        level_and_type: [i32; 2],
        descriptor: [i32; 2],
    }
    let control = Control {
        header: [size_of::<usize>() + 12],
        level_and_type: [libc::SOL_SOCKET, libc::SCM_RIGHTS],
        descriptor: [2, 0],
    };
    let part = [address(b"x"), 1];
    // struct msghdr: name and its length, parts and their count, control data and its length, flags.
    let message = [0, 0, address(&part), 1, address(&control), size_of::<Control>(), 0];
    call(libc::SYS_sendmsg, [0, address(&message), 0])
}

fn set_option() -> Attempt {
    let on = 1_i32;
    let (level, option) = (arg(libc::SOL_SOCKET), arg(libc::SO_PASSCRED));
    call(libc::SYS_setsockopt, [0, level, option, address(&on), size_of_val(&on)])
}

fn write_to(descriptor: usize) -> Attempt {
    call(libc::SYS_write, [descriptor, address(b"x"), 1])
}
