//! What it costs to be seen: whole moves of a process that sends traces and metrics to a collector, beside one that sends none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{ExportMetricsServiceRequest, ExportMetricsServiceResponse};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::measuring::{ROUNDS, median, row};
use crate::moves::{SHARED_CONNECTIONS, served};
use crate::processes::Process;
use crate::servers::{COST_HEAD, Servers};

/// The share of calls that are traced.
const SAMPLED: &str = "0.1";
const MATCHES: [usize; 2] = [64, 256];
const GOAL: f64 = 0.95;

pub(crate) async fn run() {
    let servers = Servers::start().await;
    let collector = Collector::start().await;
    let seen = Process::fives(
        &servers.redis,
        &["--otlp-endpoint", &collector.url, "--trace-sample-ratio", SAMPLED],
    );
    println!("telemetry: whole moves, {SAMPLED} of the calls traced; the collector is part of the driver");
    println!("matches  telemetry  moves/s   p50 ms   p99 ms{COST_HEAD}");
    for matches in MATCHES {
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let on = served(&servers, &seen, matches, SHARED_CONNECTIONS).await;
            let off = served(&servers, &servers.fives, matches, SHARED_CONNECTIONS).await;
            for (what, (figures, cost)) in [("on", &on), ("off", &off)] {
                println!("{matches:>7}  {what:<8} {} {cost}", row(figures));
            }
            ratios.push(on.0.calls_per_s / off.0.calls_per_s);
        }
        println!(
            "{matches:>7}  median: {:.2} of the moves without (goal {GOAL:.2}); {} spans have come",
            median(ratios),
            collector.spans.load(Ordering::Relaxed),
        );
    }
}

/// Takes what it is sent, and counts it.
struct Collector {
    url: String,
    spans: Arc<AtomicU64>,
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let spans = Arc::new(AtomicU64::new(0));
        let services = Server::builder()
            .add_service(TraceServiceServer::new(Sink(Arc::clone(&spans))))
            .add_service(MetricsServiceServer::new(Sink(Arc::clone(&spans))));
        tokio::spawn(services.serve_with_incoming(TcpIncoming::from(listener)));
        Self { url, spans }
    }
}

struct Sink(Arc<AtomicU64>);

#[tonic::async_trait]
impl TraceService for Sink {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let of_processes = request.into_inner().resource_spans;
        let scopes = of_processes.iter().flat_map(|spans| &spans.scope_spans);
        let count: usize = scopes.map(|scope| scope.spans.len()).sum();
        self.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Sink {
    async fn export(
        &self,
        _request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        Ok(Response::new(Default::default()))
    }
}
