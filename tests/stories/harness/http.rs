//! Plain HTTP, as probes, scrapers and operators speak it.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::in_time;

/// Sends a request, such as `GET /livez`; gives the status and the body of the answer.
pub(crate) async fn http(address: &str, request: &str, headers: &[String], body: &str) -> (u16, String) {
    let answer = in_time(request, exchange(address, request, headers, body)).await;
    answer.expect("it listens and answers")
}

/// The status and the body of what a GET is answered with; `None` where nobody answers.
pub(crate) async fn ask(address: &str, path: &str) -> Option<(u16, String)> {
    exchange(address, &format!("GET {path}"), &[], "").await
}

async fn exchange(address: &str, request: &str, headers: &[String], body: &str) -> Option<(u16, String)> {
    let mut lines = vec![
        format!("{request} HTTP/1.1"),
        format!("Host: {address}"),
        "Connection: close".to_owned(),
        format!("Content-Length: {}", body.len()),
    ];
    lines.extend(headers.iter().cloned());
    let asked = lines.join("\r\n") + "\r\n\r\n" + body;
    let mut connection = TcpStream::connect(address).await.ok()?;
    connection.write_all(asked.as_bytes()).await.ok()?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}
