//! Lines of a stream, each of bounded length. A longer one is passed over, however long it is.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};
use ygg_domain::limits;

/// A message's text and body with every character escaped, and room for what stands around them.
pub const LINE_BYTES: usize = 6 * (limits::MESSAGE_TEXT_BYTES + limits::MESSAGE_BODY_BYTES) + 64 * 1024;

pub enum Line {
    Read(Vec<u8>),
    TooLong,
}

/// The next line that is not blank, without its end; none at the end of the stream.
pub async fn next(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Line>> {
    loop {
        let mut line = Vec::new();
        let mut too_long = false;
        let ended = loop {
            let buffer = input.fill_buf().await?;
            if buffer.is_empty() {
                break true;
            }
            let newline = buffer.iter().position(|byte| *byte == b'\n');
            let piece = &buffer[..newline.unwrap_or(buffer.len())];
            too_long |= line.len() + piece.len() > LINE_BYTES;
            if !too_long {
                line.extend_from_slice(piece);
            }
            let used = newline.map_or(buffer.len(), |at| at + 1);
            input.consume(used);
            if newline.is_some() {
                break false;
            }
        };
        if too_long {
            return Ok(Some(Line::TooLong));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(Line::Read(line.trim_ascii().to_vec())));
        }
        if ended {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(text: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut input = tokio::io::BufReader::with_capacity(7, text);
        let mut lines = Vec::new();
        while let Some(line) = next(&mut input).await.expect("memory does not fail") {
            lines.push(match line {
                Line::Read(line) => Some(line),
                Line::TooLong => None,
            });
        }
        lines
    }

    #[tokio::test]
    async fn lines_come_whole_without_their_ends() {
        let lines = all(b"first line\r\n\n  \nsecond\nlast without an end").await;
        let expected =
            [&b"first line"[..], b"second", b"last without an end"].map(|line| Some(line.to_vec()));
        assert_eq!(lines, expected);
    }

    #[tokio::test]
    async fn a_line_beyond_the_limit_is_passed_over() {
        let mut text = vec![b'x'; LINE_BYTES + 1];
        text.extend_from_slice(b"\nnext\n");
        assert_eq!(all(&text).await, [None, Some(b"next".to_vec())]);
        assert_eq!(all(&text[1..LINE_BYTES + 2]).await[0].as_ref().map(Vec::len), Some(LINE_BYTES));
    }
}
