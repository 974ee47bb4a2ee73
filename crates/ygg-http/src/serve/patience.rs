//! A connection whose other end takes nothing is cut after a while: it would hold its stream, its events and its
//! place among the connections for ever.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long the other end may take nothing while there is something for it. A stream goes on where it was when its
/// reader comes again.
const STALL: Duration = Duration::from_secs(60);

pub struct Patient<S> {
    socket: S,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub fn new(socket: S) -> Self {
        Self { socket, stalled: None }
    }

    fn wait<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALL)));
        stalled.as_mut().poll(context).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.wait(polled, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.socket).poll_write_vectored(context, parts);
        self.wait(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn only_an_end_that_takes_nothing_is_cut() {
        let (near, mut far) = duplex(8);
        let mut near = Patient::new(near);
        near.write_all(&[1; 8]).await.expect("room");
        // Slow is well, as long as something is taken now and then.
        for _ in 0..5 {
            let slow = async {
                advance(STALL - Duration::from_secs(1)).await;
                far.read_exact(&mut [0; 8]).await.expect("bytes");
            };
            let (written, ()) = tokio::join!(near.write_all(&[1; 8]), slow);
            written.expect("room at last");
        }
        let cut = near.write_all(&[1; 8]).await.expect_err("nobody takes it");
        assert_eq!(cut.kind(), ErrorKind::TimedOut);
    }
}
