//! A server made of one handler, on a port that the system chooses.

use axum::Router;
use tokio::net::TcpListener;
use ygg_client::Target;

pub async fn start(app: Router) -> Target {
    // The first test of the process does it for all.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, app).await });
    Target { url, workspace: "main".to_owned(), key: "ygga_key".to_owned() }
}
