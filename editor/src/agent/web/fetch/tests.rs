use super::*;

fn fetcher(resolve: fn(String, u16) -> Resolved) -> Fetcher {
    Fetcher {
        resolve,
        ..Fetcher::new(vec!["docs.example.com".to_owned()])
    }
}

async fn refusal(fetcher: &Fetcher, url: &str) -> String {
    fetcher.fetch(url).await.unwrap_err().to_string()
}

#[tokio::test]
async fn nothing_is_fetched_where_no_host_is_named() {
    let refused = refusal(&Fetcher::new(Vec::new()), "https://docs.example.com").await;
    assert!(
        refused.contains("is denied") && refused.contains("webFetch.allowedHosts"),
        "{refused}"
    );
}

#[tokio::test]
async fn an_address_is_refused_before_anybody_is_asked() {
    let never = fetcher(|host, _| panic!("{host} was asked for"));
    for url in [
        "http://docs.example.com/",
        "https://docs.example.com.evil.org/",
        "https://sub.docs.example.com/",
        "https://user:pw@docs.example.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "file:///etc/passwd",
        "docs.example.com",
        "",
    ] {
        refusal(&never, url).await;
    }
}

#[tokio::test]
async fn a_name_that_leads_into_a_private_network_is_refused() {
    let inside = fetcher(|_, port| {
        Box::pin(async move {
            let public: SocketAddr = ([93, 184, 216, 34], port).into();
            Ok(vec![public, ([169, 254, 169, 254], port).into()])
        })
    });
    let refused = refusal(&inside, "https://DOCS.example.com/").await;
    assert!(refused.contains("leads to 169.254.169.254"), "{refused}");
}
