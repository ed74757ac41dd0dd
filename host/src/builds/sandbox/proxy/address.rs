//! Which addresses are this machine, in every notation.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Addresses where clouds answer every machine with its credentials; link-local ones are refused anyway.
const METADATA: [IpAddr; 3] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

/// Whether an address is another machine, as far as the address says.
pub fn is_open(address: IpAddr) -> bool {
    let address = galley_net::embedded(address);
    let is_special = match address {
        IpAddr::V4(v4) => v4.octets()[0] == 0 || v4.is_link_local() || v4.is_broadcast(),
        IpAddr::V6(v6) => v6.is_unicast_link_local(),
    };
    !(is_special
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || METADATA.contains(&address)
        || is_own(address))
}

/// Whether an address is one of this machine: the kernel answers from the address that was asked.
fn is_own(address: IpAddr) -> bool {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    // Connecting a datagram socket sends nothing.
    let source = || -> io::Result<IpAddr> {
        let socket = UdpSocket::bind((any, 0))?;
        socket.connect((address, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    source().is_ok_and(|source| source == address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_refused_in_every_notation() {
        for address in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "0.1.2.3",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "169.254.169.254",
            "fe80::1",
            "::ffff:169.254.169.254",
            "fd00:ec2::254",
            "224.0.0.1",
            "255.255.255.255",
            "ff02::1",
        ] {
            assert!(!is_open(address.parse().unwrap()), "{address}");
        }
        assert!(is_open("203.0.113.7".parse().unwrap()));
        assert!(is_open("2001:db8::7".parse().unwrap()));
    }
}
