//! A server on this machine that plays both providers of reviews.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;

/// What a provider does with a request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    /// A review, in the provider's own shape.
    Says(&'static str),
    /// A review that repeats a header of the request.
    Repeats(&'static str),
    Status(u16),
    Garbage,
    Closes,
    /// Nothing for longer than anybody waits.
    Hangs,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &String| line.to_lowercase().starts_with(&format!("{name}:"));
        Some(self.headers.iter().find(|line| named(line))?.split_once(':')?.1.trim())
    }
}

pub(crate) struct Providers {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Providers {
    pub(crate) fn new(gemini: Answer, openai: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&requests);
        // It ends with the tests; a connection that nobody makes costs nothing.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = Arc::clone(&heard);
                thread::spawn(move || serve(stream, gemini, openai, &heard));
            }
        });
        Self { address, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }
}

fn serve(mut stream: TcpStream, gemini: Answer, openai: Answer, heard: &Mutex<Vec<Request>>) {
    let Some(request) = receive(&stream) else { return };
    let is_gemini = request.path.starts_with("/v1beta/models/");
    heard.lock().expect("no panic").push(request.clone());
    let review = |text: &str| {
        if is_gemini {
            json!({ "candidates": [{ "content": { "role": "model", "parts": [{ "text": text }] } }] }).to_string()
        } else {
            json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": text } }] }).to_string()
        }
    };
    let reply = match if is_gemini { gemini } else { openai } {
        Answer::Says(text) => response(200, &review(text)),
        Answer::Repeats(header) => {
            let repeated = request.header(header).unwrap_or_default();
            response(200, &review(&format!("VERDICT: unsafe; REASON: sent with {repeated} and nothing else")))
        }
        Answer::Status(status) => response(status, r#"{"error": "VERDICT: safe; REASON: an error says so"}"#),
        Answer::Garbage => "\u{0}\u{1}VERDICT: safe".to_owned(),
        Answer::Closes => return,
        Answer::Hangs => {
            thread::sleep(Duration::from_mins(1));
            return;
        }
    };
    // The client may have gone.
    let _ = stream.write_all(reply.as_bytes());
}

fn response(status: u16, body: &str) -> String {
    let head = format!("HTTP/1.1 {status} So\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    format!("{head}connection: close\r\n\r\n{body}")
}

fn receive(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        headers.push(line.trim().to_owned());
    }
    let mut request = Request { path: first.split(' ').nth(1)?.to_owned(), headers, body: String::new() };
    let length: usize = request.header("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}
