//! What keeps pages of other sites out: a server on the loop-back address is reached by every page that
//! the browser shows.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, header};

use crate::fault::Fault;

/// What a page may load, and from where: its own files and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Refuses requests that do not come from the page itself or from a program on this machine.
///
/// `Host` must name the loop-back address with the server's port: a foreign name that resolves to it
/// (DNS rebinding) is refused. `Origin` and `Sec-Fetch-Site`, which browsers send and pages cannot
/// change, must be the page's own where they are there. A body must be declared as JSON, which no page
/// of another site may send unasked.
pub(crate) fn check(method: &Method, headers: &HeaderMap, port: u16) -> Result<(), Fault> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() || !host.is_some_and(|host| is_own(host, port)) {
        return Err(Fault::Foreign("the request is meant for another host"));
    }
    let origin = headers.get(header::ORIGIN);
    let is_own_origin = |origin: &HeaderValue| {
        let authority = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        authority.is_some_and(|authority| is_own(authority, port))
    };
    if origin.is_some_and(|origin| !is_own_origin(origin)) {
        return Err(Fault::Foreign("the request comes from a page of another site"));
    }
    // A link from another page may lead here, but its scripts may not ask.
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    let follows_link = navigates && *method == Method::GET;
    if !matches!(site, None | Some(b"same-origin" | b"none")) && !follows_link {
        return Err(Fault::Foreign("the request comes from a page of another site"));
    }
    if *method == Method::POST && !is_json(headers) {
        return Err(Fault::Malformed("the body must be of the type application/json".to_owned()));
    }
    Ok(())
}

fn is_own(host: &str, port: u16) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let named = matches!(authority.host(), "127.0.0.1" | "localhost");
    // A browser leaves out the port of HTTP.
    named && !host.contains('@') && authority.port_u16().unwrap_or(80) == port
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = media_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
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
        let pair = |&(name, value): &(&'static str, &str)| {
            (header::HeaderName::from_static(name), value.parse().unwrap())
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers.iter().map(pair) {
            map.append(name, value);
        }
        check(&method, &map, 8000)
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
            assert!(checked(Method::POST, &[&link[..], &[json]].concat()).is_err());
        }
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
