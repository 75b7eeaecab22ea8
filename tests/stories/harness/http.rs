//! Plain HTTP, as probes and scrapers speak it.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The body of an answer of 200, if there is one.
pub(crate) async fn get(address: &str, path: &str) -> Option<String> {
    let mut connection = TcpStream::connect(address).await.ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n");
    connection.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let is_ok = head.split(' ').nth(1) == Some("200");
    is_ok.then(|| body.to_owned())
}
