//! A collector of OpenTelemetry, as an operator would run one: it takes what comes over OTLP/gRPC and shows it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{ExportMetricsServiceRequest, ExportMetricsServiceResponse};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// A span that came.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) name: String,
    /// Which process it is of.
    pub(crate) instance: String,
    pub(crate) trace_id: String,
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) duration_us: u64,
}

#[derive(Clone, Default)]
struct Received {
    spans: Arc<Mutex<Vec<Span>>>,
    metrics: Arc<Mutex<Vec<String>>>,
    /// Everything that came, as text: what is secret must not be in it.
    everything: Arc<Mutex<String>>,
}

/// The collector. Dropping it stops it.
pub(crate) struct Collector {
    received: Received,
    pub(crate) url: String,
    serving: JoinHandle<()>,
}

impl Collector {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let received = Received::default();
        let (traces, metrics) = (received.clone(), received.clone());
        let serving = tokio::spawn(async move {
            let services = Server::builder()
                .add_service(TraceServiceServer::new(traces))
                .add_service(MetricsServiceServer::new(metrics));
            services
                .serve_with_incoming(TcpIncoming::from(listener))
                .await
                .expect("it serves");
        });
        Self { received, url, serving }
    }

    /// All spans of a trace that have come.
    pub(crate) fn trace(&self, trace_id: &str) -> Vec<Span> {
        let spans = self.received.spans.lock().unwrap();
        spans.iter().filter(|span| span.trace_id == trace_id).cloned().collect()
    }

    /// The names of all metrics that have come.
    pub(crate) fn metrics(&self) -> Vec<String> {
        self.received.metrics.lock().unwrap().clone()
    }

    /// Everything that has come, as text.
    pub(crate) fn everything(&self) -> String {
        self.received.everything.lock().unwrap().clone()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A trace as text: each span below its parent.
pub(crate) fn drawn(spans: &[Span]) -> String {
    fn below(parent: &str, depth: usize, by_parent: &BTreeMap<&str, Vec<&Span>>, drawn: &mut String) {
        for span in by_parent.get(parent).into_iter().flatten() {
            let indent = "  ".repeat(depth);
            let Span {
                name,
                instance,
                duration_us,
                ..
            } = span;
            *drawn += &format!("{indent}{name}  {duration_us} us  ({instance})\n");
            below(&span.id, depth + 1, by_parent, drawn);
        }
    }
    let ids: Vec<&str> = spans.iter().map(|span| span.id.as_str()).collect();
    let mut by_parent: BTreeMap<&str, Vec<&Span>> = BTreeMap::new();
    for span in spans {
        // The client's own span is not here.
        let parent = Some(span.parent.as_str()).filter(|parent| ids.contains(parent));
        by_parent.entry(parent.unwrap_or_default()).or_default().push(span);
    }
    let mut drawn = String::new();
    below("", 0, &by_parent, &mut drawn);
    drawn
}

fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

fn text(attributes: &[KeyValue], key: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == key);
    let value = found.and_then(|attribute| attribute.value.as_ref()?.value.clone());
    match value {
        Some(Value::StringValue(text)) => text,
        _ => String::new(),
    }
}

#[tonic::async_trait]
impl TraceService for Received {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let request = request.into_inner();
        *self.everything.lock().unwrap() += &format!("{request:?}\n");
        for of_process in request.resource_spans {
            let resource = of_process.resource.unwrap_or_default();
            let instance = text(&resource.attributes, "service.instance.id");
            let spans = of_process.scope_spans.into_iter().flat_map(|scope| scope.spans);
            let spans = spans.map(|span| Span {
                name: span.name,
                instance: instance.clone(),
                trace_id: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                duration_us: (span.end_time_unix_nano - span.start_time_unix_nano) / 1000,
            });
            self.spans.lock().unwrap().extend(spans);
        }
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Received {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        let request = request.into_inner();
        *self.everything.lock().unwrap() += &format!("{request:?}\n");
        let scopes = request
            .resource_metrics
            .into_iter()
            .flat_map(|metrics| metrics.scope_metrics);
        let names = scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name);
        self.metrics.lock().unwrap().extend(names);
        Ok(Response::new(Default::default()))
    }
}
