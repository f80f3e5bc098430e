//! The guard against pages of other sites: a server on the loop-back address is reached by every page that
//! the browser shows.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, header};

use crate::fault::Fault;

/// The sources of a page: its own files and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The hosts under which a server is reached: the names and addresses that may stand in `Host` and `Origin`.
///
/// ```
/// use shogi_explore::Hosts;
/// assert_eq!(Hosts::loop_back().to_string(), "127.0.0.1, localhost");
/// let hosts = Hosts::named(&["192.168.1.5", "shogi.lan"])?;
/// assert_eq!(hosts.to_string(), "192.168.1.5, shogi.lan");
/// assert!(hosts.is_open() && !Hosts::loop_back().is_open());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts {
    /// Where the server listens.
    address: IpAddr,
    /// As they stand in `Host`, in small letters.
    names: Vec<String>,
}

impl Hosts {
    /// This machine alone: 127.0.0.1, also called localhost.
    pub fn loop_back() -> Self {
        let names = ["127.0.0.1", "localhost"].map(str::to_owned).to_vec();
        Self { address: Ipv4Addr::LOCALHOST.into(), names }
    }

    /// These names and addresses; the server listens on the first one. 0.0.0.0 and :: stand for all addresses
    /// of the machine, and are no names to be reached under.
    ///
    /// # Errors
    ///
    /// If one is no host, the first one has no address, or there is none to be reached under.
    pub fn named<S: AsRef<str>>(hosts: &[S]) -> io::Result<Self> {
        let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidInput, reason);
        let mut names = Vec::new();
        for host in hosts.iter().map(AsRef::as_ref) {
            let address = host.parse::<IpAddr>();
            let name = match address {
                Ok(address) if address.is_unspecified() => continue,
                Ok(IpAddr::V6(address)) => format!("[{address}]"),
                _ => host.to_ascii_lowercase(),
            };
            let read = name.parse::<Authority>();
            if !read.is_ok_and(|read| read.host() == name && read.port().is_none()) {
                return Err(invalid(format!("{host:?} is no name or address of a host")));
            }
            names.push(name);
        }
        let first = hosts.first().map(AsRef::as_ref).filter(|_| !names.is_empty());
        let first = first.ok_or_else(|| {
            invalid("a host to be reached under is needed beside all addresses".to_owned())
        })?;
        let address = (first, 0).to_socket_addrs()?.next();
        let address = address.ok_or_else(|| invalid(format!("{first} has no address")))?;
        Ok(Self { address: address.ip(), names })
    }

    /// This host's address, for a server that answers all alike, whatever name a request is for.
    ///
    /// # Errors
    ///
    /// If the host has no address.
    pub fn listening_on(host: &str) -> io::Result<Self> {
        let address = (host, 0).to_socket_addrs()?.next();
        let address = address.map(|address| address.ip()).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("{host} has no address"))
        })?;
        let name = SocketAddr::new(address, 0).to_string();
        Ok(Self { address, names: vec![name.trim_end_matches(":0").to_owned()] })
    }

    /// Whether other machines can reach the server.
    pub const fn is_open(&self) -> bool {
        !self.address.is_loopback()
    }

    /// Where the server listens.
    pub(crate) const fn address(&self, port: u16) -> SocketAddr {
        SocketAddr::new(self.address, port)
    }

    /// The name that the server's own address is given with.
    pub(crate) fn first(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// Whether this is one of the hosts, with the server's port.
    fn has(&self, host: &str, port: u16) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let named = self.names.iter().any(|name| authority.host().eq_ignore_ascii_case(name));
        // A browser leaves out the port of HTTP.
        named && !host.contains('@') && authority.port_u16().unwrap_or(80) == port
    }
}

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(", "))
    }
}

/// Refuses requests that do not come from the page itself or from a program.
///
/// `Host` must be one of the hosts with the server's port: a foreign name that resolves to its address
/// (DNS rebinding) is refused. `Origin` and `Sec-Fetch-Site`, which browsers send and pages cannot
/// change, must be the page's own where they are there; a link from elsewhere leads to the page and to no
/// question. A body must be declared as JSON, or as bytes where a file is sent, which no page of another
/// site may send unasked.
pub(crate) fn check(
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    own: &Hosts,
    port: u16,
) -> Result<(), Fault> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() || !host.is_some_and(|host| own.has(host, port)) {
        return Err(Fault::Foreign("the request is meant for another host"));
    }
    let is_own_origin = |origin: &HeaderValue| {
        let authority = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        authority.is_some_and(|authority| own.has(authority, port))
    };
    let mut origins = headers.get_all(header::ORIGIN).iter();
    if origins.next().is_some_and(|origin| !is_own_origin(origin)) || origins.next().is_some() {
        return Err(Fault::Foreign("the request comes from a page of another site"));
    }
    // A link from another page may lead to this one, but neither it nor a script may send questions.
    let mut sites = headers.get_all("sec-fetch-site").iter().map(HeaderValue::as_bytes);
    let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    let follows_link = navigates && *method == Method::GET && !path.starts_with("/api/");
    if !sites.all(|site| matches!(site, b"same-origin" | b"none")) && !follows_link {
        return Err(Fault::Foreign("the request comes from a page of another site"));
    }
    let body = if path == OPEN { "application/octet-stream" } else { "application/json" };
    if *method == Method::POST && !is_of_type(headers, body) {
        return Err(Fault::Malformed(format!("the body must be of the type {body}")));
    }
    Ok(())
}

/// Where files are sent to.
pub(crate) const OPEN: &str = "/api/open";

/// Whether a body is declared as of a type, which must be one that no page of another site may send.
fn is_of_type(headers: &HeaderMap, expected: &str) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = media_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}

/// Adds to an answer what the browser may do with it.
pub(crate) fn seal(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(method: Method, headers: &[(&'static str, &str)]) -> Result<(), Fault> {
        checked_by(&Hosts::loop_back(), method, headers)
    }

    fn checked_by(
        hosts: &Hosts,
        method: Method,
        headers: &[(&'static str, &str)],
    ) -> Result<(), Fault> {
        checked_at("/", hosts, method, headers)
    }

    fn checked_at(
        path: &str,
        hosts: &Hosts,
        method: Method,
        headers: &[(&'static str, &str)],
    ) -> Result<(), Fault> {
        let pair = |&(name, value): &(&'static str, &str)| {
            (header::HeaderName::from_static(name), value.parse().unwrap())
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers.iter().map(pair) {
            map.append(name, value);
        }
        check(&method, path, &map, hosts, 8000)
    }

    #[test]
    fn names_of_other_hosts_are_refused() {
        for own in ["127.0.0.1:8000", "localhost:8000"] {
            assert_eq!(checked(Method::GET, &[("host", own)]), Ok(()));
        }
        for foreign in [
            "127.0.0.1",
            "127.0.0.1:8001",
            "evil.example:8000",
            "127.0.0.1.evil.example:8000",
            "localhost.evil.example:8000",
            "user@127.0.0.1:8000",
            "",
            "[::1]:8000",
            "127.1:8000",
        ] {
            assert!(checked(Method::GET, &[("host", foreign)]).is_err(), "{foreign}");
        }
        assert!(checked(Method::GET, &[]).is_err());
        let twice = [("host", "127.0.0.1:8000"), ("host", "evil.example")];
        assert!(checked(Method::GET, &twice).is_err());
    }

    #[test]
    fn named_hosts_are_answered_and_no_others() {
        let hosts = Hosts::named(&["0.0.0.0", "Shogi.lan", "::1", "10.0.0.7"]).unwrap();
        assert_eq!(hosts.address(8000).to_string(), "0.0.0.0:8000");
        for own in ["shogi.lan:8000", "SHOGI.LAN:8000", "[::1]:8000", "10.0.0.7:8000"] {
            assert_eq!(checked_by(&hosts, Method::GET, &[("host", own)]), Ok(()), "{own}");
            let origin = format!("http://{own}");
            let page = [("host", own), ("origin", &origin)];
            assert_eq!(checked_by(&hosts, Method::GET, &page), Ok(()), "{own}");
        }
        // Neither the address that stands for all, nor this machine, nor any other name.
        for foreign in ["0.0.0.0:8000", "127.0.0.1:8000", "localhost:8000", "lan:8000", "shogi.lan"]
        {
            let checked = checked_by(&hosts, Method::GET, &[("host", foreign)]);
            assert!(checked.is_err(), "{foreign}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for hosts in [&["0.0.0.0"][..], &[], &["a b"], &["shogi.lan:80"], &["user@host"], &[""]] {
            assert!(Hosts::named(hosts).is_err(), "{hosts:?}");
        }
        assert!(!Hosts::named(&["127.0.0.1"]).unwrap().is_open());
        assert!(!Hosts::named(&["::1"]).unwrap().is_open());
        assert!(Hosts::named(&["::", "shogi.lan"]).unwrap().is_open());
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "127.0.0.1:8000");
        let json = ("content-type", "application/json; charset=utf-8");
        assert_eq!(checked(Method::POST, &[host, json]), Ok(()));
        assert_eq!(
            checked(Method::POST, &[host, json, ("origin", "http://127.0.0.1:8000")]),
            Ok(())
        );
        for foreign in
            ["http://evil.example", "null", "https://127.0.0.1:8000", "http://127.0.0.1:8001", ""]
        {
            assert!(
                checked(Method::POST, &[host, json, ("origin", foreign)]).is_err(),
                "{foreign}"
            );
        }
        for site in ["cross-site", "same-site"] {
            assert!(checked(Method::GET, &[host, ("sec-fetch-site", site)]).is_err(), "{site}");
            let link = [host, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate")];
            assert_eq!(checked(Method::GET, &link), Ok(()), "a link may be followed");
            let hosts = Hosts::loop_back();
            let search = checked_at("/api/search", &hosts, Method::GET, &link);
            assert!(search.is_err(), "a link from {site} starts no search");
            assert!(checked(Method::POST, &[&link[..], &[json]].concat()).is_err());
        }
    }

    #[test]
    fn headers_that_stand_twice_are_refused() {
        let host = ("host", "127.0.0.1:8000");
        let own = ("origin", "http://127.0.0.1:8000");
        assert_eq!(checked(Method::GET, &[host, own]), Ok(()));
        for other in [own, ("origin", "http://evil.example")] {
            assert!(checked(Method::GET, &[host, own, other]).is_err(), "{other:?}");
        }
        let sites = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")];
        assert!(checked(Method::GET, &[host, sites[0], sites[1]]).is_err());
    }

    #[test]
    fn forms_of_other_sites_are_refused() {
        let host = ("host", "127.0.0.1:8000");
        for form in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
            assert!(checked(Method::POST, &[host, ("content-type", form)]).is_err(), "{form}");
        }
        assert!(checked(Method::POST, &[host]).is_err());
    }
}
