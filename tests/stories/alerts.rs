//! A real Prometheus over three replicas, with the very rules that deploy/ ships.

use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use fives_client::{Client, v1};

use crate::harness::{
    RedisNode, Seated, ServerProcess, ask, bot, free_address, hooks, in_time, me, public_match, until, workspace,
};

/// Prometheus, scraping these addresses each second. Dropping it kills it.
struct Prometheus {
    address: String,
    _process: Child,
    _folder: TempDir,
}

impl Prometheus {
    fn start(targets: &[String]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = workspace().join("deploy/prometheus/rules.yaml");
        // As in deploy/prometheus/prometheus.yaml, but in a hurry.
        let config = format!(
            "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\n\
             rule_files: [{rules:?}]\n\
             scrape_configs:\n  - job_name: fives\n    static_configs:\n      - targets: {targets:?}\n"
        );
        let file = folder.path().join("prometheus.yaml");
        std::fs::write(&file, config).expect("a file can be written");
        let address = free_address();
        let process = Command::new("prometheus")
            .arg(format!("--config.file={}", file.display()))
            .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
            .arg(format!("--web.listen-address={address}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("prometheus is installed: `make servers`");
        Self {
            address,
            _process: process,
            _folder: folder,
        }
    }

    /// The first value of a query, if it has one.
    async fn ask(&self, query: &str) -> Option<f64> {
        let query: String = query.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let (_, answer) = ask(&self.address, &format!("/api/v1/query?query={query}")).await?;
        let answer: Value = serde_json::from_str(&answer).ok()?;
        answer["data"]["result"][0]["value"][1].as_str()?.parse().ok()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_scrapes_the_replicas_and_raises_the_alarm_when_the_store_is_gone() {
    let mut redis = RedisNode::start().await;
    let admin: Vec<String> = (0..3).map(|_| free_address()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    // Nobody listens there, and nobody minds.
    let hooked = hooks(folder.path(), &format!("http://{}/", free_address()), json!({}));
    let hooked = hooked.display().to_string();
    let replicas: Vec<ServerProcess> = admin
        .iter()
        .map(|address| ServerProcess::replica(&redis.url(), &["--admin-listen", address, "--hooks", &hooked]))
        .collect();
    let mut clients = Vec::new();
    for replica in &replicas {
        replica.until_ready().await;
        let client = replica.client();
        client.sign_in("anna", None).await.expect("guests are welcome");
        clients.push(client);
    }
    every_series_that_is_asked_for(&clients[0], &admin[0]).await;
    let prometheus = Prometheus::start(&admin);
    until("all replicas are scraped", async || {
        prometheus.ask("sum(fives_store_up{job=\"fives\"})").await == Some(3.0)
    })
    .await;
    let signed_in = "sum(rpc_server_call_duration_seconds_count{rpc_method=\"fives.v1.PlayerService/SignInGuest\",\
                     rpc_response_status_code=\"OK\"})";
    until("the calls are counted", async || {
        prometheus.ask(signed_in).await == Some(3.0)
    })
    .await;
    let firing = "count(ALERTS{alertname=\"FivesStoreDown\",alertstate=\"firing\"})";
    assert_eq!(prometheus.ask(firing).await, None, "nothing is wrong yet");

    redis.kill().await;
    until("the alarm", async || prometheus.ask(firing).await == Some(1.0)).await;
}

/// A replica that has refused something, and had a bot play, tells everything that alerts and dashboard ask for.
async fn every_series_that_is_asked_for(client: &Client, admin: &str) {
    let request = public_match(vec![me(), bot(v1::BotKind::Greedy)]);
    let created = client.create_match(request).await.expect("a match is made");
    let match_id = created.view.expect("a view").match_id;
    client
        .get_replay(v1::GetReplayRequest {
            match_id: match_id.clone(),
            ..Default::default()
        })
        .await
        .expect_err("it is not over");
    in_time("the match", Seated::new(client, &match_id).play_to_the_end()).await;

    let (_, told) = ask(admin, "/metrics").await.expect("it is told");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("metrics");
    std::fs::write(&file, told).expect("a file can be written");
    let checked = Command::new(workspace().join("target/venv/bin/python"))
        .arg(workspace().join("tools/deploy-facts"))
        .arg("--metrics")
        .arg(&file)
        .output()
        .await
        .expect("`make tools` has made it");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
