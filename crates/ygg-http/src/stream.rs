//! When event streams end because the server does [O6].

use tokio::sync::watch;

/// Returns when the server stops; never when nobody can stop it.
pub async fn stopped(mut shutdown: watch::Receiver<bool>) {
    if shutdown.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
